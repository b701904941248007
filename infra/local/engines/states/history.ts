import type { HistoryEvent } from '@aws-sdk/client-sfn';

/** The interpreter's events, with the fields that the history shows. */
export interface EngineEvent {
  type: string;
  timestamp: number;
  input?: unknown;
  output?: unknown;
  state?: { name: string; type: string; input: unknown; output?: unknown };
  Error?: string;
  Cause?: unknown;
}

type Entry = Omit<HistoryEvent, 'id' | 'timestamp' | 'previousEventId' | 'type'> & { type: string };

const json = (value: unknown): string => JSON.stringify(value ?? null);
const causeOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause ?? ''));

/** The events inside a state, immediately after it was entered and before it is left. */
const INSIDE: Readonly<Record<string, { entered: string[]; left: string[] }>> = {
  Task: { entered: ['LambdaFunctionScheduled', 'LambdaFunctionStarted'], left: ['LambdaFunctionSucceeded'] },
  Parallel: { entered: ['ParallelStateStarted'], left: ['ParallelStateSucceeded'] },
};

const plain = (types: readonly string[] = []): Entry[] => types.map((type) => ({ type }));

const entered = ({ name, type, input }: NonNullable<EngineEvent['state']>): Entry[] => [
  { type: `${type}StateEntered`, stateEnteredEventDetails: { name, input: json(input) } },
  ...plain(INSIDE[type]?.entered),
];

const left = ({ name, type, output }: NonNullable<EngineEvent['state']>): Entry[] => [
  ...plain(INSIDE[type]?.left),
  { type: `${type}StateExited`, stateExitedEventDetails: { name, output: json(output) } },
];

const failed = (event: EngineEvent): Entry[] => {
  const details = { error: event.Error, cause: causeOf(event.Cause) };
  if (event.state?.type === 'Task')
    return [{ type: 'LambdaFunctionFailed', lambdaFunctionFailedEventDetails: details }];
  return event.state?.type === 'Parallel' ? [{ type: 'ParallelStateFailed' }] : [];
};

const ENTRIES: Readonly<Record<string, (event: EngineEvent) => Entry[]>> = {
  ExecutionStarted: ({ input }) => [{ type: 'ExecutionStarted', executionStartedEventDetails: { input: json(input) } }],
  ExecutionSucceeded: ({ output }) => [
    { type: 'ExecutionSucceeded', executionSucceededEventDetails: { output: json(output) } },
  ],
  ExecutionFailed: ({ Error: error, Cause }) => [
    { type: 'ExecutionFailed', executionFailedEventDetails: { error, cause: causeOf(Cause) } },
  ],
  ExecutionAborted: () => plain(['ExecutionAborted']),
  ExecutionTimeout: () => plain(['ExecutionTimedOut']),
  StateEntered: ({ state }) => (state ? entered(state) : []),
  StateExited: ({ state }) => (state ? left(state) : []),
  StateFailed: failed,
  StateRetried: ({ state }) => (state?.type === 'Task' ? plain(INSIDE.Task?.entered) : []),
};

const entriesOf = (event: EngineEvent): Entry[] => ENTRIES[event.type]?.(event) ?? [];

/** Step Functions' limit for the events of an execution, including its end. */
export const MOST_EVENTS = 25_000;

const COUNTS: Readonly<Record<string, (type: string) => number>> = {
  StateEntered: (type) => 1 + (INSIDE[type]?.entered.length ?? 0),
  StateExited: (type) => 1 + (INSIDE[type]?.left.length ?? 0),
  StateFailed: (type) => (type in INSIDE ? 1 : 0),
  StateRetried: (type) => (type === 'Task' ? (INSIDE.Task?.entered.length ?? 0) : 0),
};

/** The number of events in the history for one event of the interpreter. */
export const countOf = ({ type, state }: EngineEvent): number =>
  COUNTS[type]?.(state?.type ?? '') ?? (type in ENTRIES ? 1 : 0);

/** The interpreter's event for the end of an execution whose history is full, with AWS's own error and cause. */
export const historyIsFull = (at: Date) => ({
  ...{ type: 'ExecutionFailed', timestamp: at.getTime(), Error: 'States.Runtime' },
  Cause: `The execution reached the maximum number of history events (${MOST_EVENTS}).`,
});

/** The end follows as the last permitted event. */
const withinLimit = <T>(all: readonly T[]): readonly T[] =>
  all.length > MOST_EVENTS ? [...all.slice(0, MOST_EVENTS - 1), ...all.slice(-1)] : all;

/**
 * The events of GetExecutionHistory for the interpreter's events. As in Step Functions, iterations and branches have no
 * separate events; their states appear like all others. The predecessor of each event is the previous one.
 */
export const historyOf = (events: readonly EngineEvent[]): HistoryEvent[] =>
  withinLimit(events.flatMap((event) => entriesOf(event).map((entry) => ({ entry, timestamp: event.timestamp })))).map(
    ({ entry, timestamp }, index) => ({
      ...(entry as Omit<HistoryEvent, 'id' | 'timestamp'>),
      id: index + 1,
      previousEventId: index,
      timestamp: new Date(timestamp),
    }),
  );
