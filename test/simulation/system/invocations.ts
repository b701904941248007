import { AsyncLocalStorage } from 'node:async_hooks';

/** An environment in which a function runs, as started by Lambda: its memory outlives invocations. */
export interface FunctionProcess {
  readonly name: string;
  readonly number: number;
  isAlive: boolean;
}

/** One invocation of a process. */
export interface Invocation {
  readonly process: FunctionProcess;
  /** Of all invocations of a lifecycle. */
  readonly number: number;
  /** The event that the function got. */
  readonly event: unknown;
  /** Ends it as Lambda does when the process dies. */
  die(errorType: string): void;
  /** Reports failure to the caller, although the process continues. */
  disown(errorType: string): void;
  /** Invokes the function with the same event again, at the same time. */
  repeat(): void;
}

/** Associates everything that an invocation awaits with it. */
export const invocations = new AsyncLocalStorage<Invocation>();

/** The purpose of an invocation: the step of a workflow, a request of the API, the source of an event. */
export const purposeOf = ({ event }: Pick<Invocation, 'event'>): string => {
  const { step, path, httpMethod, source } = (event ?? {}) as Record<string, unknown>;
  return [step, httpMethod, path, source].filter(Boolean).join(' ');
};
