/** What executions must not reveal, and how many and how long they may be. */
import type { Execution } from '../../../../infra/local/engines/states/executions.ts';
import { countOf, historyOf } from '../../../../infra/local/engines/states/history.ts';
import type { Canaries } from './canaries.ts';
import { secretBreach } from './judge.ts';
import { paceBreaches } from './pace.ts';

/** The name of an execution that has not ended. */
export const runningExecution = (executions: readonly Execution[]): string | undefined =>
  executions.find(({ status }) => status === 'RUNNING')?.name;

/** A fifth of Step Functions' limit: no fault may make an execution loop until its history is full. */
const MOST_EVENTS = 5_000;

/** Everything that AWS shows of an execution: its input, output, error and history. */
const textOfExecution = ({ input, output, error, cause, events }: Execution): string =>
  JSON.stringify({ input, output, error, cause, history: historyOf(events) });

/**
 * Secrets in what AWS shows of executions, histories that approach the limit of Step Functions, and too many executions
 * within a minute. The canaries are told everything.
 */
export const executionBreaches = (executions: readonly Execution[], canaries: Canaries): string[] => {
  const found = executions.flatMap((execution) => {
    const { name, events } = execution;
    const [where, text] = [`the execution ${name}`, textOfExecution(execution)];
    const count = events.reduce((sum, event) => sum + countOf(event), 0);
    canaries.tell(where, text);
    return [
      ...secretBreach(where, text),
      ...(count > MOST_EVENTS ? [`${where} has ${count} events, more than ${MOST_EVENTS}`] : []),
    ];
  });
  return [...found, ...paceBreaches(executions), ...canaries.found()];
};
