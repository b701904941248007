/** Measures how API servers that hang delay the comparison of other clusters, in virtual time. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { columns } from '../describe/table.ts';
import { ROOT } from '../paths.ts';

/** Consecutive sweeps over healthy clusters and clusters whose API servers have just stopped responding. */
export interface IsolationFigures {
  hanging: number;
  healthy: number;
  sweeps: {
    /** The time that the sweep waited for API servers. */
    seconds: number;
    /** The time after which the last healthy cluster was compared; undefined if one was not compared at all. */
    healthySeconds?: number;
    /** The number of hanging servers that were queried. */
    hangingQueried: number;
  }[];
}

/** Measures in a separate process, because infra must not import tests. */
export const measureIsolation = async (): Promise<IsolationFigures[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/isolation/measure.ts'], { cwd: ROOT });
  return JSON.parse(stdout) as IsolationFigures[];
};

const rowsOf = ({ hanging, healthy, sweeps }: IsolationFigures): string[][] =>
  sweeps.map(({ seconds, healthySeconds, hangingQueried }, index) => [
    ...[healthy, hanging, index + 1, hangingQueried].map(String),
    `${seconds.toFixed(1)} s`,
    healthySeconds === undefined ? 'not all' : `${healthySeconds.toFixed(1)} s`,
  ]);

/** The figures as a readable table. */
export const tableOfIsolation = (figures: readonly IsolationFigures[]): string =>
  columns(
    [
      ['HEALTHY', 'HANGING', 'SWEEP', 'HANGING QUERIED', 'WAITS FOR', 'HEALTHY COMPARED AFTER'],
      ...figures.flatMap(rowsOf),
    ],
    { header: 1 },
  ).join('\n');
