import type { ListExportsCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { jsonLog } from '../../../shared/log.ts';
import { createExports } from '../../../shared/store/exports.ts';
import type { DriftDependencies } from '../dependencies.ts';
import type { SweepRun } from '../run.ts';
import { hasFailedExport } from './failed-exports.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/Windlass-Objects';

/** A sweep of the first shard at the beginning of an hour, over a table with exports in these states, newest first. */
const makeSweep = (states: readonly string[] | Error, { index = 0, minute = 0 } = {}) => {
  const lines: string[] = [];
  const asked: unknown[] = [];
  const client = {
    send: async ({ input }: ListExportsCommand) => {
      asked.push(input);
      if (states instanceof Error) throw states;
      const ExportSummaries = states.map((ExportStatus, age) => ({
        ExportArn: `${TABLE}/export/${9 - age}`,
        ExportStatus: ExportStatus as 'COMPLETED',
      }));
      return { ExportSummaries, $metadata: {} };
    },
  };
  const deps = {
    exports: createExports({ client, tableArn: TABLE }),
    clock: { now: () => new Date(Date.UTC(2026, 0, 2, 3, minute)) },
    sweepMinutes: 5,
    shard: { index, of: 2 },
    log: jsonLog((line) => lines.push(line)),
  } as unknown as DriftDependencies;
  const faults: unknown[] = [];
  return { look: () => hasFailedExport(deps, { faults } as unknown as SweepRun), deps, lines, asked, faults };
};

describe('a sweep', () => {
  it.each([
    ['reports that the last export failed', ['FAILED', 'COMPLETED'], true],
    ['does not report an earlier failure', ['COMPLETED', 'FAILED'], false],
    ['reports a failure until the next export has succeeded', ['IN_PROGRESS', 'FAILED'], true],
    ['reports nothing while no export has ended', ['IN_PROGRESS'], false],
    ['reports nothing before the first export', [], false],
  ])('%s', async (_, states, isReported) => {
    const { look, lines, asked } = makeSweep(states);
    expect(await look()).toBe(isReported);
    expect(asked).toEqual([{ TableArn: TABLE, MaxResults: 25 }]);
    expect(lines.filter((line) => line.includes('the last export of the table failed'))).toHaveLength(
      isReported ? 1 : 0,
    );
  });

  it('looks for failed exports once an hour, in its first part, and only if the table is exported', async () => {
    for (const at of [{ minute: 5 }, { index: 1 }]) {
      const { look, asked } = makeSweep(['FAILED'], at);
      expect([await look(), asked]).toEqual([false, []]);
    }
    const { deps } = makeSweep([]);
    const { exports: _, ...without } = deps;
    expect(await hasFailedExport(without, { faults: [] } as unknown as SweepRun)).toBe(false);
  });

  it.each([
    ['AccessDeniedException', true],
    ['InternalServerError', false],
  ])(
    'has a fault if exports cannot be listed (%s), and reports it if a person has to act',
    async (name, isReported) => {
      const refused = Object.assign(new Error('no list'), { name, $fault: 'client', $metadata: {} });
      const { look, faults } = makeSweep(refused);
      expect(await look()).toBe(isReported);
      expect(faults).toEqual([refused]);
    },
  );
});
