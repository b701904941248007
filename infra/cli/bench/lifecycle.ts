/** What planning and carrying out rollouts costs, in simulated time. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../paths.ts';

export interface LifecycleFigures {
  /** One step of a rollout in its middle, with so many workers. */
  planners: { machines: number; milliseconds: number; microsecondsEach: number }[];
  /** A whole rollout with a surge of a tenth. */
  rollout: {
    workers: number;
    passes: number;
    /** Of anything that goes from one step of a pass to the next; Step Functions takes 256 KB. */
    largestPayloadBytes: number;
    simulatedMinutes: number;
    /** Of ours, for all passes and all machines. */
    seconds: number;
  };
}

/** Measures in a process of its own: the simulation is a test, which nothing here may import. */
export const measureLifecycle = async (): Promise<LifecycleFigures> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/simulation/cluster/measure.ts'], { cwd: ROOT });
  return JSON.parse(stdout) as LifecycleFigures;
};

/** The figures as a table for people. */
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
