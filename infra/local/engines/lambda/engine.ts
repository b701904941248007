import { join } from 'node:path';
import type { Clock } from '../../../../shared/clock.ts';
import type { Random } from '../../../../shared/random.ts';
import { type Engine, onlyKnown, type Resource, text } from '../../engine.ts';
import { isMetricsLine } from '../../meter/logs.ts';
import type { Meter } from '../../meter/meter.ts';
import type { Identity, Target } from '../../template.ts';
import type { WireServer } from '../wire/server.ts';
import { type Invoker, makeInvoker } from './invoker.ts';
import type { FunctionSpec } from './messages.ts';

/**
 * Architecture, reserved concurrency, role, log group and tracing have no effect on a laptop, and only the meter uses
 * the memory; all other properties are applied.
 */
const KNOWN = [
  'Architectures',
  'Code',
  'Environment',
  'FunctionName',
  'Handler',
  'LoggingConfig',
  'MemorySize',
  'ReservedConcurrentExecutions',
  'Role',
  'Runtime',
  'Timeout',
  'TracingConfig',
];

export interface LambdaEngine extends Engine {
  /** The name of the function with this ARN. Throws if it is not a function of the template. */
  nameOf(arn: string): string;
  /** Whether the template has a function of this name. */
  has(name: string): boolean;
  /** Available between start and stop. */
  invoker(): Invoker;
}

export interface LambdaOptions {
  target: Target;
  assets: ReadonlyMap<string, string>;
  /** The environment variables of every function. */
  shared: Readonly<Record<string, string>>;
  clock: Clock;
  random: Random;
  onLog: (name: string, text: string) => void;
  meter: Pick<Meter, 'invoked' | 'logged'>;
  /** Answers the requests of the functions to AWS; without it, they use the network. */
  aws?: Pick<WireServer, 'answer'>;
  /** Runs the functions instead of a worker thread. */
  host?: typeof makeInvoker;
}

/** The function that a resource describes. Throws an Error if it cannot run here. */
export const specOf = (resource: Resource, options: Pick<LambdaOptions, 'assets' | 'target'>): FunctionSpec => {
  onlyKnown(resource, KNOWN);
  const name = text(resource, 'FunctionName');
  const { S3Key } = resource.properties.Code as { S3Key: string };
  const directory = options.assets.get(S3Key);
  if (directory === undefined) throw new Error(`function "${name}": the assembly holds no asset ${S3Key}`);
  if (text(resource, 'Runtime') !== 'nodejs24.x') throw new Error(`function "${name}": only nodejs24.x runs here`);
  const [module = '', exported = ''] = text(resource, 'Handler').split('.');
  const environment = (resource.properties.Environment as { Variables?: Record<string, string> })?.Variables ?? {};
  const { region, accountId, partition } = options.target;
  return {
    name,
    arn: `arn:${partition}:lambda:${region}:${accountId}:function:${name}`,
    file: join(directory, `${module}.mjs`),
    exported,
    environment,
    timeoutSeconds: Number(resource.properties.Timeout ?? 3),
    memoryMegabytes: Number(resource.properties.MemorySize ?? 128),
  };
};

/** Functions run in one worker thread, from the same bundles that would be deployed. */
export const lambdaEngine = (options: LambdaOptions): LambdaEngine => {
  const functions = new Map<string, FunctionSpec>();
  let running: Invoker | undefined;
  return {
    types: ['AWS::Lambda::Function'],
    create: (resource): Identity => {
      const spec = specOf(resource, options);
      functions.set(spec.arn, spec);
      return { ref: spec.name, attributes: { Arn: spec.arn } };
    },
    start: async () => {
      const { shared, clock, random, meter, aws } = options;
      const onLog: LambdaOptions['onLog'] = (name, text) => {
        meter.logged(text);
        // Metrics are not collected here, and would fill the log.
        if (!isMetricsLine(text)) options.onLog(name, text);
      };
      const dependencies = { clock, random, onLog, onInvoked: meter.invoked, aws };
      running = (options.host ?? makeInvoker)({ functions: [...functions.values()], shared }, dependencies);
      // Functions are loaded at the start: otherwise, the first cluster would wait for eleven imports. If one fails,
      // its invocation reports that.
      const { load } = running;
      await Promise.allSettled([...functions.values()].map(({ name }) => load(name)));
    },
    stop: async () => {
      await running?.stop();
      running = undefined;
    },
    nameOf: (arn) => {
      const spec = functions.get(arn);
      if (spec === undefined) throw new Error(`${arn} is not a function of the template`);
      return spec.name;
    },
    has: (name) => [...functions.values()].some((spec) => spec.name === name),
    invoker: () => {
      if (running === undefined) throw new Error('the functions are not running');
      return running;
    },
  };
};
