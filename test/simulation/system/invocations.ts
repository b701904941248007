import { AsyncLocalStorage } from 'node:async_hooks';

/** An environment in which a function runs, as Lambda starts it: its memory outlives invocations. */
export interface FunctionProcess {
  readonly name: string;
  readonly number: number;
  isAlive: boolean;
}

/** One invocation of a process. */
export interface Invocation {
  readonly process: FunctionProcess;
  /** Of all invocations of a life. */
  readonly number: number;
  /** As the function was given it. */
  readonly event: unknown;
  /** Ends it as Lambda does when the process dies. */
  die(errorType: string): void;
  /** Tells the caller that it has failed, although the process goes on. */
  disown(errorType: string): void;
  /** Invokes the function with the same event once more, at the same time. */
  repeat(): void;
}

/** What belongs to which invocation, through everything that it awaits. */
export const invocations = new AsyncLocalStorage<Invocation>();

/** What an invocation is for: the step of a workflow, a request of the API, the source of an event. */
export const purposeOf = ({ event }: Pick<Invocation, 'event'>): string => {
  const { step, path, httpMethod, source } = (event ?? {}) as Record<string, unknown>;
  return [step, httpMethod, path, source].filter(Boolean).join(' ');
};
