import type { Invoked } from '../../meter/lambda-time.ts';

/** What the main thread and the worker that hosts the functions say to each other. All of it can be cloned. */

/** A deployed function as the worker needs it. */
export interface FunctionSpec {
  name: string;
  arn: string;
  /** The bundle, and the name that it exports the handler under. */
  file: string;
  exported: string;
  environment: Readonly<Record<string, string>>;
  timeoutSeconds: number;
  memoryMegabytes: number;
}

/** How Lambda describes a function's failure; Step Functions takes `errorType` as the error's name. */
export interface FunctionFailure {
  errorType: string;
  errorMessage: string;
  trace: readonly string[];
}

/** A request to the simulated AWS, in place of one over HTTP. `path`: with its query. Names of headers are in lower case. */
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
  /** The main thread answers requests to AWS's endpoint; otherwise they take the network. */
  isDirect?: boolean;
  /** Variables that every function sees: region, credentials, the endpoint of AWS. */
  shared: Readonly<Record<string, string>>;
  /** Where this process keeps what Node.js compiles; undefined if it keeps nothing. */
  compileCache?: string | undefined;
}

export type ToWorker =
  /** Imports the bundle and answers with an empty result. */
  | { kind: 'load'; id: number; function: string }
  /** `event` is JSON. `streaming` sends what the function writes as it comes. `requestId` is the invocation's own. */
  | { kind: 'invoke'; id: number; function: string; event: string; streaming: boolean; requestId: string }
  /** The reader has taken so many bytes: the function may write more. */
  | { kind: 'written'; id: number; bytes: number }
  /** The answer is no longer read. */
  | { kind: 'abandon'; id: number }
  /** AWS's answer; undefined if there is none. */
  | { kind: 'answer'; id: number; answer: DirectAnswer | undefined };

export type FromWorker =
  /** `id`: of the request. */
  | { kind: 'request'; id: number; request: DirectRequest }
  | { kind: 'result'; id: number; payload: string }
  /** `isLast`: the function has ended its stream, although it may continue itself. */
  | { kind: 'chunk'; id: number; bytes: Uint8Array; isLast: boolean }
  | { kind: 'end'; id: number }
  | { kind: 'failure'; id: number; failure: FunctionFailure }
  | { kind: 'log'; function: string; text: string }
  /** The usage of an invocation, for the meter. */
  | { kind: 'invoked'; function: string; invoked: Invoked };
