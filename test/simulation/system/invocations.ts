import { AsyncLocalStorage } from 'node:async_hooks';

/** An environment in which Lambda runs a function; its memory outlives invocations. */
export interface FunctionProcess {
  readonly name: string;
  readonly number: number;
  isAlive: boolean;
}

/** One invocation of a process. */
export interface Invocation {
  readonly process: FunctionProcess;
  /** Unique among all invocations of a lifecycle. */
  readonly number: number;
  /** The event that the function got. */
  readonly event: unknown;
  /** Ends the invocation, as Lambda does when the process dies. */
  die(errorType: string): void;
  /** Reports a failure to the caller, although the process continues. */
  disown(errorType: string): void;
  /** Invokes the function a second time with the same event, concurrently. */
  repeat(): void;
}

/** Associates asynchronous work with the invocation that has started it. */
export const invocations = new AsyncLocalStorage<Invocation>();

/** The purpose of an invocation: the step of a workflow, a request to the API, or the source of an event. */
export const purposeOf = ({ event }: Pick<Invocation, 'event'>): string => {
  const { step, path, httpMethod, source } = (event ?? {}) as Record<string, unknown>;
  return [step, httpMethod, path, source].filter(Boolean).join(' ');
};
