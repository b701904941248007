/**
 * How often executions start for one object: controllers that keep triggering each other cost money without a visible
 * effect.
 */
import type { Execution } from '../../../../infra/local/engines/states/executions.ts';

const MINUTE_MILLISECONDS = 60_000;

/**
 * Without faults, there are at most 12 passes a minute for a cluster, two executions for a pool, and one for a machine.
 */
const MOST_IN_A_MINUTE = 40;

/** The uid of the object for which an execution works. */
const uidOf = (input: string): string => {
  const { cluster, pool, machine } = JSON.parse(input) as Record<string, { uid?: string } | undefined>;
  return (pool ?? machine ?? cluster)?.uid ?? '';
};

const mostInAMinute = (starts: readonly number[]): number =>
  Math.max(
    ...starts.map((end, last) => starts.slice(0, last + 1).filter((at) => end - at < MINUTE_MILLISECONDS).length),
  );

/** State machines that started too many executions for one object. */
export const paceBreaches = (
  executions: readonly Pick<Execution, 'machineArn' | 'input' | 'startDate'>[],
): string[] => {
  const started = Map.groupBy(executions, (one) => `${one.machineArn.split(':').at(-1)} of ${uidOf(one.input)}`);
  return [...started].flatMap(([subject, all]) => {
    const most = mostInAMinute(all.map(({ startDate }) => startDate.getTime()).sort((a, b) => a - b));
    return most > MOST_IN_A_MINUTE
      ? [`${most} executions of ${subject} started within a minute, more than ${MOST_IN_A_MINUTE}`]
      : [];
  });
};
