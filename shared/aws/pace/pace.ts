import type { EC2Client } from '@aws-sdk/client-ec2';
import { isThrottling } from '../errors.ts';

/** A call that is about to be made. `service` is the signing name. */
export interface PacedCall {
  readonly service: string;
  readonly operation: string;
  readonly input: object;
}

/** Keeps the calls of all functions to an account and region within a share of AWS's limits. */
export interface Pace {
  /** Resolves when the call may be made. Rejects with ThrottledError if the wait would be too long. */
  admit(call: PacedCall): Promise<void>;
  /** Reports that AWS has throttled the call. */
  refused(call: PacedCall): void;
}

/** The stacks of all clients only differ in the types of their inputs and outputs. */
type Stack = EC2Client['middlewareStack'];

interface Stacked {
  readonly middlewareStack: object;
}

/** `RunInstancesCommand` → `RunInstances`. */
const operationOf = (commandName: string): string => commandName.replace(/Command$/, '');

const asking =
  (service: string, pace: Pace) =>
  <Args extends { input: object }, Output>(next: (args: Args) => Promise<Output>, context: { commandName?: string }) =>
  async (args: Args): Promise<Output> => {
    const call = { service, operation: operationOf(context.commandName ?? ''), input: args.input };
    await pace.admit(call);
    try {
      return await next(args);
    } catch (error) {
      if (isThrottling(error)) pace.refused(call);
      throw error;
    }
  };

/** Asks `pace` before each attempt of each call of a client, including the SDK's own retries. */
export const paced = <Client extends Stacked>(client: Client, service: string, pace: Pace | undefined): Client => {
  if (!pace) return client;
  const middleware = asking(service, pace) as Parameters<Stack['addRelativeTo']>[0];
  const options = { name: 'pace', relation: 'after', toMiddleware: 'retryMiddleware' } as const;
  (client.middlewareStack as Stack).addRelativeTo(middleware, options);
  return client;
};
