import type { Invoked } from '../../meter/lambda-time.ts';

/** The messages between the main thread and the worker that runs the functions. All of them can be cloned. */

/** A deployed function, with the data that the worker needs. */
export interface FunctionSpec {
  name: string;
  arn: string;
  /** The bundle, and the name under which it exports the handler. */
  file: string;
  exported: string;
  environment: Readonly<Record<string, string>>;
  timeoutSeconds: number;
  memoryMegabytes: number;
}

/** Lambda's description of a function's failure; Step Functions uses `errorType` as the name of the error. */
export interface FunctionFailure {
  errorType: string;
  errorMessage: string;
  trace: readonly string[];
}

/**
 * A request to the simulated AWS that is not sent over HTTP. `path` includes the query. Names of headers are in lower
 * case.
 */
export interface DirectRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

export interface DirectAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

export interface WorkerSettings {
  functions: readonly FunctionSpec[];
  /** Whether the main thread answers requests to AWS's endpoint; otherwise, they use the network. */
  isDirect?: boolean;
  /** The environment variables of every function: region, credentials and the AWS endpoint. */
  shared: Readonly<Record<string, string>>;
  /** The directory in which this process stores compiled code; undefined if it stores none. */
  compileCache?: string | undefined;
}

export type ToWorker =
  /** Imports the bundle and answers with an empty result. */
  | { kind: 'load'; id: number; function: string }
  /**
   * `event` is JSON. `streaming` passes the function's output on as it arrives. `requestId` is that of the invocation.
   */
  | { kind: 'invoke'; id: number; function: string; event: string; streaming: boolean; requestId: string }
  /** The reader has read this number of bytes: the function may write more. */
  | { kind: 'written'; id: number; bytes: number }
  /** The response is no longer read. */
  | { kind: 'abandon'; id: number }
  /** AWS's response; undefined if there is none. */
  | { kind: 'answer'; id: number; answer: DirectAnswer | undefined };

export type FromWorker =
  /** `id` is that of the request. */
  | { kind: 'request'; id: number; request: DirectRequest }
  | { kind: 'result'; id: number; payload: string }
  /** `isLast`: the function has ended its stream, although it may still run. */
  | { kind: 'chunk'; id: number; bytes: Uint8Array; isLast: boolean }
  | { kind: 'end'; id: number }
  | { kind: 'failure'; id: number; failure: FunctionFailure }
  | { kind: 'log'; function: string; text: string }
  /** The usage of an invocation, for the meter. */
  | { kind: 'invoked'; function: string; invoked: Invoked };
