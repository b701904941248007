import { ExecutionAbortedError, ExecutionTimeoutError, StateMachine } from 'aws-local-stepfunctions';
import { FunctionError } from '../lambda/failure.ts';
import type { Task } from './definition.ts';
import type { EngineEvent } from './history.ts';

/** Step Functions' limit for the input and the output of a state, in bytes of UTF-8. */
export const PAYLOAD_LIMIT = 262_144;

/** Calls a function with a JSON value and resolves to its JSON result. */
export type InvokeFunction = (functionArn: string, input: unknown) => Promise<unknown>;

export type Outcome =
  | { status: 'SUCCEEDED'; output: unknown }
  | { status: 'FAILED'; error: string; cause: string }
  | { status: 'ABORTED' | 'TIMED_OUT' };

/** A running execution. */
export interface Run {
  abort(): void;
  events: AsyncIterable<EngineEvent>;
  /** Never rejects. */
  outcome: Promise<Outcome>;
}

/** An error as the interpreter reports it: Retry and Catch match `name`, and `message` becomes the Cause. */
class TaskFailure extends Error {
  override readonly name: string;
  readonly isRetryable: boolean;
  readonly isCatchable: boolean;

  constructor(name: string, cause: string, terminal = false) {
    super(cause);
    this.name = name;
    this.isRetryable = !terminal;
    this.isCatchable = !terminal;
  }
}

const checkSize = (what: string, value: unknown): void => {
  if (Buffer.byteLength(JSON.stringify(value ?? null)) <= PAYLOAD_LIMIT) return;
  const cause = `The ${what} is larger than the maximum of ${PAYLOAD_LIMIT} bytes.`;
  throw new TaskFailure('States.DataLimitExceeded', cause, true);
};

const callTask = async (task: Task, invoke: InvokeFunction, input: unknown): Promise<unknown> => {
  checkSize(`input of the state "${task.name}"`, input);
  try {
    const result = await invoke(task.functionArn, input);
    checkSize(`result of the state "${task.name}"`, result);
    return result;
  } catch (error) {
    if (error instanceof FunctionError) throw new TaskFailure(error.name, JSON.stringify(error.failure));
    throw error;
  }
};

const outcomeOf = async (result: Promise<unknown>): Promise<Outcome> => {
  try {
    return { status: 'SUCCEEDED', output: await result };
  } catch (error) {
    if (error instanceof ExecutionAbortedError) return { status: 'ABORTED' };
    if (error instanceof ExecutionTimeoutError) return { status: 'TIMED_OUT' };
    const failure = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
    return { status: 'FAILED', error: failure.name, cause: failure.message };
  }
};

/** A definition that is ready to run: it is parsed once and may run many times concurrently. */
export const makeMachine = (definition: string, tasks: readonly Task[], invoke: InvokeFunction) => {
  // The definition was checked by tasksOf, and by asl-validator in the tests; the interpreter's own check takes 150 ms.
  const machine = new StateMachine(JSON.parse(definition), { validationOptions: { noValidate: true } });
  type Overrides = NonNullable<NonNullable<Parameters<typeof machine.run>[1]>['overrides']>;
  const taskResourceLocalHandlers = Object.fromEntries(
    tasks.map((task) => [task.name, (input: unknown) => callTask(task, invoke, input)]),
  ) as Overrides['taskResourceLocalHandlers'];

  return (input: unknown, context: Readonly<Record<string, unknown>>): Run => {
    const options = { overrides: { taskResourceLocalHandlers }, context };
    const { abort, eventLogs, result } = machine.run(input as Parameters<typeof machine.run>[0], options);
    return { abort, events: eventLogs, outcome: outcomeOf(result) };
  };
};
