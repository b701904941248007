import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import type { Fault } from '../../simulation/system/fault-kinds.ts';
import type { Job } from '../../simulation/system/jobs.ts';
import { playAll } from '../../simulation/system/play.ts';

const outdir = inject('outdir');

/** The smallest cluster. */
const lifeOf = (seed: number, ...faults: Fault[]): Job => ({
  seed,
  story: 'create',
  sizes: { controlPlane: 1, workers: 0 },
  faults,
});

it('plays the same seed byte for byte in another process, and another seed otherwise', async () => {
  const [[one], [again, other]] = await Promise.all([
    playAll([lifeOf(1)], { outdir, withTranscript: true }),
    playAll([lifeOf(1), lifeOf(2)], { outdir, withTranscript: true }),
  ]);
  expect(again?.transcript).toEqual(one?.transcript);
  expect(other?.transcript).not.toEqual(one?.transcript);
  expect([one, again, other].flatMap((life) => life?.breaches)).toEqual([]);
});

const AFTER_LAUNCH: Fault = { kind: 'dies after', effect: 'ec2:RunInstances' };

/** Some kinds, where each would cost most; `npm run simulate -- --system --faults` has all. */
const CHOSEN: readonly Fault[] = [
  AFTER_LAUNCH,
  { kind: 'dies before', effect: 'machines states:StartExecution' },
  { kind: 'reply lost', effect: 'foundation ec2:CreateVpc' },
  { kind: 'delivered twice', effect: 'secretsmanager:CreateSecret' },
  { kind: 'throttled', effect: 'endpoint elasticloadbalancing:CreateLoadBalancer' },
];

it('ends as without a fault, whatever strikes', async () => {
  const lives = await playAll(
    CHOSEN.map((fault) => lifeOf(1, fault)),
    { outdir },
  );
  expect(lives.filter(({ struck }) => struck.length === 0).map(({ job }) => job.faults)).toEqual([]);
  expect(lives.flatMap(({ job, breaches }) => breaches.map((breach) => `${job.faults?.[0]?.kind}: ${breach}`))).toEqual(
    [],
  );
});

const directory = mkdtempSync(join(tmpdir(), 'windlass-mutants-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The assembly with a change in the bundles, as a build with a defect has it. Throws where nothing changes. */
const mutate = (name: string, pattern: RegExp, replacement: string): string => {
  const mutant = join(directory, name);
  cpSync(outdir, mutant, { recursive: true });
  const files = readdirSync(mutant, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mjs'));
  const changed = files.filter((file) => {
    const text = readFileSync(join(mutant, file), 'utf8');
    const other = text.replace(pattern, replacement);
    if (other !== text) writeFileSync(join(mutant, file), other);
    return other !== text;
  });
  if (changed.length === 0) throw new Error(`no bundle has ${pattern}`);
  return mutant;
};

interface BrokenBuild {
  what: string;
  pattern: RegExp;
  replacement: string;
  faults: readonly Fault[];
  breach: RegExp;
}

const BROKEN: readonly BrokenBuild[] = [
  {
    what: 'launches without a client token',
    pattern: /MinCount:1,MaxCount:1,ClientToken:/,
    replacement: 'MinCount:1,MaxCount:1,NoToken:',
    faults: [AFTER_LAUNCH],
    breach: /^the machine .* has two live instances$/,
  },
  {
    what: 'takes every recorded intent for an old one',
    pattern: /(\.lastIndexOf\("\."\)\)\?\?""\);return )(\w+\.getTime\(\)-\w+<)/,
    replacement: '$1false&&$2',
    faults: [
      { kind: 'stale describes', effect: 'foundation ec2:CreateVpc' },
      { kind: 'dies after', effect: 'foundation ec2:CreateVpc' },
    ],
    breach: /^the cluster has more than one of its vpcs$/,
  },
];

it.each(BROKEN)('catches a build that $what', async ({ what, pattern, replacement, faults, breach }) => {
  const mutant = mutate(what.replaceAll(' ', '-'), pattern, replacement);
  const [life] = await playAll([lifeOf(1, ...faults)], { outdir: mutant });
  expect(life?.breaches).toContainEqual(expect.stringMatching(breach));
});
