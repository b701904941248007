/** Measures planning and executing rollouts, in simulated time. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../paths.ts';

export interface LifecycleFigures {
  /** One step in the middle of a rollout, with this number of workers. */
  planners: { machines: number; milliseconds: number; microsecondsEach: number }[];
  /** A complete rollout with a surge of 10%. */
  rollout: {
    workers: number;
    passes: number;
    /** The largest payload between two steps of a pass; Step Functions accepts 256 KB. */
    largestPayloadBytes: number;
    simulatedMinutes: number;
    /** Real seconds, for all passes and all machines. */
    seconds: number;
  };
}

/** Measures in a separate process, because the simulation is a test, which infra must not import. */
export const measureLifecycle = async (): Promise<LifecycleFigures> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/simulation/cluster/measure.ts'], { cwd: ROOT });
  return JSON.parse(stdout) as LifecycleFigures;
};

/** The figures as a readable table. */
export const tableOfLifecycle = ({ planners, rollout }: LifecycleFigures): string => {
  const line = (title: string, value: string) => `${title.padEnd(52)}${value.padStart(16)}`;
  const { workers, passes, largestPayloadBytes, simulatedMinutes, seconds } = rollout;
  return [
    ...planners.map(({ machines, milliseconds, microsecondsEach }) =>
      line(
        `plan a step of a rollout of ${machines} workers`,
        `${milliseconds.toFixed(2)} ms, ${microsecondsEach.toFixed(1)} µs each`,
      ),
    ),
    line(`roll ${workers} workers over, a tenth at a time`, `${passes} passes, ${seconds.toFixed(1)} s of ours`),
    line('of which in simulated time', `${simulatedMinutes.toFixed(1)} minutes`),
    line('largest result of a step', `${largestPayloadBytes} bytes`),
  ].join('\n');
};
