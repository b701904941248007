import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProgram } from '../../../infra/cli/conformance/processes.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { remainsOf } from '../../end-to-end/remains.ts';
import { fillAccount } from './account.ts';
import { differencesOf, unexpected } from './compare.ts';
import { DRY_RUN } from './completions/dry-run.ts';
import { COMPLETIONS } from './completions.ts';
import { type EmulatorName, programOf, startEmulator } from './emulator.ts';
import { KNOWN_DIFFERENCES, KNOWN_ERRORS, KNOWN_REMAINS } from './known-differences.ts';
import { type Relay, startRelay } from './relay.ts';
import { type Chapter, endStory, noteSecrets, tellStory } from './story.ts';

/** Errors that occur in every lifecycle, because it reads resources that may not exist. */
const EXPECTED = /NotFound/;

let ours: Chapter[] = [];
beforeAll(async () => {
  const secrets = noteSecrets();
  const laptop = await startTestLaptop(secrets.calls);
  try {
    ours = await tellStory(laptop, secrets.lines);
  } finally {
    await laptop.stop();
  }
}, LIMIT);

const NAMES = ['moto', 'ministack'] as const satisfies readonly EmulatorName[];

// The tests of each cluster run in order.
describe.each(NAMES)('a cluster on %s', (name) => {
  const program = programOf(name);
  const secrets = noteSecrets();
  let emulator: RunningProgram;
  let relay: Relay;
  let laptop: TestLaptop;
  let atStart: string[];

  beforeAll(async () => {
    if (!program) return;
    emulator = await startEmulator(name, program);
    await fillAccount(emulator.url);
    // The laptop itself withholds dry runs from other endpoints.
    const completions = COMPLETIONS[name].filter((completion) => completion !== DRY_RUN);
    relay = await startRelay(emulator.url, completions);
    laptop = await startTestLaptop(secrets.calls, { otherAws: relay.url });
    atStart = await remainsOf(laptop);
  }, LIMIT);
  afterAll(async () => {
    await laptop?.stop();
    await relay?.close();
    await emulator?.stop();
  }, LIMIT);

  it.skipIf(!program)(
    'is created, scaled up and down, each time with the same resources as on the simulated AWS',
    async () => {
      const theirs = await tellStory(laptop, secrets.lines);
      const differences = theirs.flatMap(({ resources }, index) =>
        differencesOf(ours[index]?.resources ?? [], resources),
      );
      expect(unexpected(differences, KNOWN_DIFFERENCES[name])).toEqual([]);
    },
    LIMIT,
  );

  it.skipIf(!program)(
    'is deleted, and nothing of it is left',
    async () => {
      await endStory(laptop);
      const known = KNOWN_REMAINS[name]?.ids;
      const remains = (await remainsOf(laptop)).filter((id) => !atStart.includes(id));
      expect(remains.filter((id) => !known?.test(id))).toEqual([]);
      expect(remains.some((id) => known?.test(id))).toBe(known !== undefined);
    },
    LIMIT,
  );

  it.skipIf(!program)('has caused as many requests for secrets as the meter has counted', () => {
    const answered = relay.calls.filter(({ service }) => service === 'secretsmanager').length;
    expect(answered).toBeGreaterThan(0);
    expect(laptop.meter.usage().secretRequests).toBe(answered);
  });

  it.skipIf(!program)('has sent no dry runs to the emulator', () => {
    const tried = relay.calls.filter(({ input }) => /(^|&)DryRun=true(&|$)/.test(input));
    expect(tried.map(({ operation }) => operation)).toEqual([]);
  });

  it.skipIf(!program)('has caused no errors except for missing resources and known ones', () => {
    const failed = relay.calls.filter(({ code }) => code !== undefined && !EXPECTED.test(code));
    const errors = [...new Set(failed.map(({ operation, code }) => `${operation} ${code}`))].toSorted();
    expect(errors).toEqual(KNOWN_ERRORS[name].map(({ error }) => error));
  });
});
