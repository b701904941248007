/** The figures of docs/performance.md. Suites of `npm run bench` measure them; docs/performance.json stores them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../../shared/clock.ts';
import { ROOT } from '../../paths.ts';
import type { FleetSweep } from '../fleet/measure.ts';
import type { FunctionImport } from '../imports.ts';
import type { summarize } from '../kube-api-figures.ts';
import type { LifecycleFigures } from '../lifecycle.ts';
import type { ThroughputFigures } from '../load/throughput.ts';
import type { PeerFigures } from '../peer/measure.ts';

/** The figures that each suite records. */
interface Figures {
  peer: PeerFigures;
  clusters: readonly ThroughputFigures[];
  'kube-api': ReturnType<typeof summarize>;
  imports: readonly FunctionImport[];
  fleet: readonly FleetSweep[];
  lifecycle: LifecycleFigures;
}

type RecordedSuite = keyof Figures;

export interface Recorded<T> {
  /** The command that measures them again. */
  command: string;
  /** Year, month and day. */
  date: string;
  node: string;
  processors: number;
  /**
   * The average number of runnable processes over the last minute. If there are more than processors, everything is
   * slower.
   */
  load: number;
  figures: T;
}

export type Report = { [S in RecordedSuite]?: Recorded<Figures[S]> };

/** Above this load per processor, elapsed times are not meaningful; processor times still are. */
const BUSY = 1.5;

export const wasBusy = ({ load, processors }: Pick<Recorded<unknown>, 'load' | 'processors'>): boolean =>
  load > processors * BUSY;

const REPORT = join(ROOT, 'docs', 'performance.json');

/**
 * Rounds to two decimals, because runs differ by more than that, and leaves out the times of single clusters, which are
 * not meaningful.
 */
const forPeople = (key: string, value: unknown): unknown => {
  if (key === 'ready') return undefined;
  return typeof value === 'number' ? Math.round(value * 100) / 100 : value;
};

/** The recorded figures of all suites. */
export const readReport = (): Report =>
  existsSync(REPORT) ? (JSON.parse(readFileSync(REPORT, 'utf8')) as Report) : {};

/** The state of the computer before a suite runs. */
export const circumstances = () => ({
  date: systemClock.now().toISOString().slice(0, 10),
  node: process.version,
  processors: availableParallelism(),
  load: loadavg()[0] ?? 0,
});

const RECORDED: readonly string[] = [
  'peer',
  'clusters',
  'kube-api',
  'imports',
  'fleet',
  'lifecycle',
] satisfies RecordedSuite[];

export const isRecorded = (suite: string): boolean => RECORDED.includes(suite);

/** Replaces the suite's figures in the file. */
export const record = (suite: string, recorded: Recorded<unknown>): void =>
  writeFileSync(REPORT, `${JSON.stringify({ ...readReport(), [suite]: recorded }, forPeople, 2)}\n`);
