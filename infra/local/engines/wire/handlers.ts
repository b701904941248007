import type { Call } from './call.ts';

type CommandTypes<C> = C extends abstract new (
  ...args: never[]
) => {
  readonly input: infer Input;
  resolveMiddleware(...args: never[]): (args: never) => Promise<{ output: infer Output }>;
}
  ? { input: Input; output: Omit<Output, '$metadata'> }
  : never;

type OperationNames<Module> = {
  [Name in keyof Module & string]: Name extends `${infer Operation}Command`
    ? Operation extends '' | '$'
      ? never
      : Operation
    : never;
}[keyof Module & string];

/** The decoded input of one operation of an SDK client package. */
export type InputOf<Module, Operation extends string> = `${Operation}Command` extends keyof Module
  ? CommandTypes<Module[`${Operation}Command`]>['input']
  : never;

/** What a handler of one operation returns. */
export type OutputOf<Module, Operation extends string> = `${Operation}Command` extends keyof Module
  ? CommandTypes<Module[`${Operation}Command`]>['output']
  : never;

/**
 * The simulated operations of a service, typed by the SDK client package itself: `Handlers<typeof
 * import('@aws-sdk/client-ec2')>`.
 */
export type Handlers<Module> = {
  [Operation in OperationNames<Module>]?: (
    input: InputOf<Module, Operation>,
    call: Call,
  ) => OutputOf<Module, Operation> | Promise<OutputOf<Module, Operation>>;
};

/** Handlers without their specific types: one function for each operation. */
export type AnyHandlers = Readonly<Record<string, ((input: object, call: Call) => unknown) | undefined>>;
