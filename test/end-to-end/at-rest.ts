import type { Execution } from '../../infra/local/engines/states/executions.ts';
import type { TestLaptop } from './laptop.ts';

/** A finished pass may wait for minutes before it checks again; nothing happens until then. */
const LONG_WAIT_SECONDS = 30;

/** Whether a pass is in its only wait, after its end. Throws if the workflow stores the time of the wait elsewhere. */
const isInLongWait = ({ machineArn, events }: Execution): boolean => {
  const { type, state } = events.at(-1) ?? {};
  if (!machineArn.endsWith('-converge-cluster') || type !== 'StateEntered' || state?.type !== 'Wait') return false;
  const { conclude } = state.input as { conclude?: { waitSeconds?: number } };
  if (conclude?.waitSeconds === undefined)
    throw new Error('converge-cluster waits for another time than that of conclude');
  return conclude.waitSeconds >= LONG_WAIT_SECONDS;
};

/** Whether no execution is running, except finished passes that wait before they check again. */
export const isAtRest = ({ runtime }: Pick<TestLaptop, 'runtime'>): boolean =>
  runtime.executions().every((execution) => execution.status !== 'RUNNING' || isInLongWait(execution));
