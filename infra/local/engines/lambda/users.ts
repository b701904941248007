/**
 * Functions of the account that do not belong to the stack: those that a user adds on the laptop, such as extensions.
 */
import type { Target } from '../../template.ts';
import type { LambdaOptions } from './engine.ts';
import type { Functions } from './forward.ts';
import { type Invoker, makeInvoker } from './invoker.ts';
import { functionArn, type UserFunction } from './user-function.ts';

export interface UserFunctions extends Functions {
  stop(): Promise<void>;
}

const TIMEOUT_SECONDS = 60;
const MEMORY_MEGABYTES = 128;

const specOf = ({ name, file }: UserFunction, target: Target) => ({
  name,
  arn: functionArn(target, name),
  file,
  exported: 'handler',
  environment: { AWS_LAMBDA_FUNCTION_NAME: name },
  timeoutSeconds: TIMEOUT_SECONDS,
  memoryMegabytes: MEMORY_MEGABYTES,
});

/**
 * Runs the functions in a separate worker thread, which the first call starts: a function that never ends does not
 * block those of the stack. Their cost is not Windlass's and is not counted.
 */
export const makeUserFunctions = (
  functions: readonly UserFunction[],
  { target, shared, clock, random, onLog }: Pick<LambdaOptions, 'target' | 'shared' | 'clock' | 'random' | 'onLog'>,
): UserFunctions => {
  const specs = new Map(functions.map((one) => [one.name, specOf(one, target)]));
  let running: Invoker | undefined;
  const invoker = (): Invoker => {
    const settings = { functions: [...specs.values()], shared };
    running ??= makeInvoker(settings, { clock, random, onLog, onInvoked: () => {} });
    return running;
  };
  return {
    has: (name) => specs.has(name),
    invoke: (name, event) => invoker().invoke(name, event),
    stop: async () => {
      await running?.stop();
      running = undefined;
    },
  };
};
