import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import { FAULT_KINDS, type Fault } from '../../simulation/system/faults/kinds.ts';
import { type Job, type Played, partOf, stormOf } from '../../simulation/system/runs/jobs.ts';
import { type PlayOptions, playAll, playDisturbed, playSingles } from '../../simulation/system/runs/play.ts';
import { told } from '../../simulation/system/runs/report.ts';
import { singlesOf } from '../../simulation/system/runs/singles.ts';
import { STORIES, type StoryName } from '../../simulation/system/stories/story-names.ts';
import { compared } from '../../simulation/system/verdicts/compare.ts';
import { mutate } from './mutants.ts';

const outdir = inject('outdir');

/** A lifecycle of the smallest cluster. */
const lifeOf = (seed: number, ...faults: Fault[]): Job => ({
  seed,
  story: 'create',
  sizes: { controlPlane: 1, workers: 0 },
  faults,
});

/**
 * `npm run conformance` sets a different first seed for each commit, so that commits take turns with the stories and
 * their faults.
 */
const FIRST = Number(process.env.WINDLASS_FIRST_SEED ?? 1);
const STORY = STORIES[FIRST % STORIES.length] ?? 'create';
const SINGLES = 12;
const STORMS = 2;
const FAULTS_OF_STORM = 4;
const ROTATING: Job = { seed: 1, story: STORY, sizes: { controlPlane: 1, workers: 1 } };

const AFTER_LAUNCH: Fault = { kind: 'dies after', effect: 'ec2:RunInstances' };

/**
 * Plays the lifecycles in one process, because the first lifecycle of a process compiles the code and takes half as
 * long again.
 */
const playTogether = async <const Jobs extends readonly Job[]>(
  jobs: Jobs,
  options: Omit<PlayOptions, 'outdir'> = {},
) => {
  const played = await playAll(jobs, { outdir, ...options, fewest: jobs.length });
  if (played.length !== jobs.length) throw new Error('a life was not played');
  return played as { -readonly [Index in keyof Jobs]: Played };
};

/** Lifecycles without faults: of the smallest cluster, and of the rotating story. */
let plain: Played;
let whole: Played;
let afterLaunch: Played;
let swept: Played;

beforeAll(async () => {
  const jobs = [lifeOf(1), ROTATING, lifeOf(1, AFTER_LAUNCH), { ...ROTATING, seed: FIRST, isSwept: true }] as const;
  [plain, whole, afterLaunch, swept] = await playTogether(jobs, { withTranscript: true, isRecorded: true });
}, LIMIT);

it('the same seed gives the same transcript in another process and time zone, and another seed gives a different one', async () => {
  vi.stubEnv('TZ', 'Pacific/Auckland');
  const lives = playTogether([lifeOf(1), lifeOf(2)], { withTranscript: true });
  const [again, other] = await lives.finally(() => vi.unstubAllEnvs());
  expect(again.transcript).toEqual(plain.transcript);
  expect(other.transcript).not.toEqual(plain.transcript);
  expect([plain, again, other].flatMap((life) => life.breaches)).toEqual([]);
});

/**
 * Some kinds of faults, each at the effect where it is most expensive. `npm run simulate -- --system --faults` runs
 * all.
 */
const CHOSEN: readonly Fault[] = [
  AFTER_LAUNCH,
  { kind: 'dies before', effect: 'machines states:StartExecution' },
  { kind: 'reply lost', effect: 'foundation ec2:CreateVpc' },
  { kind: 'delivered twice', effect: 'secretsmanager:CreateSecret' },
  { kind: 'throttled', effect: 'endpoint elasticloadbalancing:CreateLoadBalancer' },
];

/** Replaces the name of a fault's effect with the effect's number. */
const numbered = ({ kind, effect }: Fault): Fault => {
  return { kind, effect: 1 + plain.effects.findIndex((name) => name.endsWith(String(effect))) };
};

it('a lifecycle ends as without a fault after any fault, and runs in a copy of the process as in its own process', async () => {
  // No lifecycle can rejoin the one without faults, because its recorded states are removed. So all copies run to their
  // end.
  const options = { outdir, withTranscript: true, compare: (one: Played) => compared(plain, one) };
  const lives = await playSingles({ ...plain, settled: [], moments: [] }, CHOSEN.map(numbered), options);
  expect(lives.map(({ struck }) => struck.length)).toEqual(CHOSEN.map(() => 1));
  expect(lives.filter(({ breaches }) => breaches.length > 0).map(told)).toEqual([]);
  const copy = lives.find(({ struck }) => struck[0] === afterLaunch.struck[0]);
  expect(copy?.transcript).toEqual(afterLaunch.transcript);
});

it(`the sweep finds nothing to do in the story ${STORY}, seed ${FIRST}`, () => {
  expect(swept.breaches).toEqual([]);
});

it(`a lifecycle ends as without a fault after each of ${SINGLES} single faults of the story ${STORY}, seed ${FIRST}`, async () => {
  const singles = singlesOf(whole, { kinds: FAULT_KINDS, isExhaustive: false });
  const parts = Math.ceil(singles.length / SINGLES);
  const chosen = partOf(singles, FIRST % parts, parts);
  const played = await playSingles(whole, chosen, { outdir, compare: (one) => compared(whole, one) });
  expect(played.length).toBe(chosen.length);
  expect(played.filter(({ breaches }) => breaches.length > 0).map(told)).toEqual([]);
});

it(`a lifecycle ends as without a fault after each of ${STORMS} storms of the story ${STORY}, seed ${FIRST}`, async () => {
  const jobs = Array.from({ length: STORMS }, (_, index): Job => {
    const choice = { effects: whole.effects.length, faults: FAULTS_OF_STORM, kinds: FAULT_KINDS };
    return { ...ROTATING, faults: stormOf(FIRST + index, choice) };
  });
  const played = (await playTogether(jobs)).map((one) => compared(whole, one));
  expect(played.filter(({ breaches }) => breaches.length > 0).map(told)).toEqual([]);
});

const DISTURBED: readonly StoryName[] = ['pool', 'topology', 'rke2', 'services'];
const CHANGED = DISTURBED[FIRST % DISTURBED.length] ?? 'pool';
const CHANGES = 10;

it(`a lifecycle reaches the state of its objects after random changes of the story ${CHANGED}, seed ${FIRST}`, async () => {
  const job: Job = { ...ROTATING, story: CHANGED, disturbances: { most: CHANGES } };
  const played = await playDisturbed(job, [FIRST, FIRST + 1], { outdir, fewest: 2 });
  expect(played.filter(({ breaches }) => breaches.length > 0).map(told)).toEqual([]);
  expect(new Set(played.map(({ job: { seed } }) => seed))).toEqual(new Set([FIRST, FIRST + 1]));
});

const MID_DEPLOYMENT: Fault = { kind: 'deployment', effect: 'certificates dynamodb:UpdateItem' };

const directory = mkdtempSync(join(tmpdir(), 'windlass-mutants-'));
afterAll(() => rmSync(directory, { recursive: true }));

interface BrokenBuild {
  what: string;
  /** Whether the build is correct by itself, but fails when it is deployed in the middle of the lifecycle. */
  isIncompatible?: boolean;
  /** By default the cluster is only created. */
  story?: StoryName;
  pattern: RegExp;
  replacement: string;
  faults: readonly Fault[];
  /** Whether the correct build is played with the same faults, because no other test does so. */
  hasControl?: boolean;
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
    pattern: /(=Date\.parse\([\w$]+\([\w$]+\?\?""\)\);return )([\w$]+\.getTime\(\)-[\w$]+<)/,
    replacement: '$1false&&$2',
    faults: [
      { kind: 'stale describes', effect: 'foundation ec2:CreateVpc' },
      { kind: 'dies after', effect: 'foundation ec2:CreateVpc' },
    ],
    hasControl: true,
    breach: /^the cluster has more than one of its vpcs$/,
  },
  {
    what: 'cannot read the Secrets of the version before',
    isIncompatible: true,
    pattern: /group:([\w$]+)\|\|"core",plural/,
    replacement: 'group:$1||"none",plural',
    faults: [MID_DEPLOYMENT],
    breach: /^stuck: create: /,
  },
  {
    what: 'terminates control plane machines that are members of etcd',
    story: 'upgrade',
    pattern: /(\.initialization\?\.controlPlaneInitialized===!0;)(if\(!\((?:!?[\w$]+\|\|)+!?[\w$]+\)\)return\{access:)/,
    replacement: '$1if(!0)return;$2',
    faults: [],
    breach: /^etcd has lost its quorum: /,
  },
];

const SAME_VERSION = 'the same version';
const CONTROLLED = BROKEN.filter(({ hasControl }) => hasControl);
/** The name of the lifecycle in which the correct build has the faults of a broken one. */
const controlOf = ({ what }: BrokenBuild): string => `control: ${what}`;

/** The lifecycles by the name of the deployed build. */
let deployed: Promise<ReadonlyMap<string, Played>> | undefined;

const playDeployed = async (): Promise<ReadonlyMap<string, Played>> => {
  const former = join(directory, 'former');
  cpSync(outdir, former, { recursive: true });
  const jobs = new Map<string, Job>([[SAME_VERSION, { ...lifeOf(1, MID_DEPLOYMENT), former }]]);
  for (const { what, isIncompatible, story = 'create', pattern, replacement, faults } of BROKEN) {
    const mutant = mutate({ outdir, mutant: join(directory, what.replaceAll(' ', '-')) }, pattern, replacement);
    if (mutant === undefined) continue;
    jobs.set(what, { ...lifeOf(1, ...faults), story, outdir: mutant, ...(isIncompatible && { former: outdir }) });
  }
  for (const broken of CONTROLLED) jobs.set(controlOf(broken), lifeOf(1, ...broken.faults));
  const played = await playTogether([...jobs.values()]);
  return new Map([...jobs.keys()].map((name, index) => [name, played[index] as Played]));
};

/** The lifecycle with a build. The first test that calls this plays the lifecycles of all builds. */
const lifeWith = async (name: string): Promise<Played | undefined> => {
  deployed ??= playDeployed();
  return (await deployed).get(name);
};

it('a lifecycle ends as without a fault if the same version is deployed in the middle, function by function', async () => {
  const life = await lifeWith(SAME_VERSION);
  expect(life?.struck).toEqual([expect.stringMatching(/^deployment at /)]);
  expect(life && compared(plain, life).breaches).toEqual([]);
});

it.each(BROKEN)('catches a build that $what', async ({ what, pattern, breach }) => {
  const life = await lifeWith(what);
  expect(life, `no bundle has ${pattern}`).toBeDefined();
  expect(life?.breaches).toContainEqual(expect.stringMatching(breach));
});

it.each(CONTROLLED)('a correct build survives the faults of the one that $what', async (broken) => {
  const life = await lifeWith(controlOf(broken));
  expect(life?.struck).toHaveLength(broken.faults.length);
  expect(life && compared(plain, life).breaches).toEqual([]);
});

/**
 * A seed with which everything is at rest a second after the change. If it took longer, the end of the changes would
 * trigger the reconciliation that is missing.
 */
const QUICK = 4;

it('catches a build that does not create a deleted MachineDeployment of a topology again', async () => {
  const pattern = /if\(![\w$]+\([^()]*"TopologyReconciled"\)\)return!1;/;
  const mutant = mutate({ outdir, mutant: join(directory, 'forgets-groups') }, pattern, 'return!1;') ?? '';
  expect(mutant, `no bundle has ${pattern}`).not.toBe('');
  const disturbances = { most: 1, only: ['topology.deleteDeployment'], isWithoutFaults: true };
  const [life] = await playDisturbed({ ...ROTATING, story: 'topology', disturbances }, [QUICK], { outdir: mutant });
  expect(life?.breaches).toContainEqual(expect.stringMatching(/^stuck: changes at random: group md-0 /));
});

it('a lifecycle ends early once it has rejoined the one without its fault', async () => {
  const lost: Fault = { kind: 'reply lost', effect: 'foundation ec2:CreateVpc' };
  const [life] = await playSingles(plain, [numbered(lost)], { outdir });
  expect(life?.breaches).toEqual([]);
  expect(life?.rejoined).toMatchObject({ step: 'create' });
});
