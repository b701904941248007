/**
 * The second deploy target: makes every resource of a synthesized template on the laptop, by engines that are chosen by
 * the resource's type, and runs what comes out. There is no other description of the system than the template.
 */
import { devNull } from 'node:os';
import type { Clock } from '../../shared/clock.ts';
import { CLUSTERS_ON_LOOPBACK } from '../../shared/config.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import type { Engine } from './engine.ts';
import { type ApiGatewayEngine, apiGatewayEngine } from './engines/api-gateway/engine.ts';
import { dynamodbEngine } from './engines/dynamodb/engine.ts';
import type { EventBus } from './engines/events/bus.ts';
import { eventsEngine } from './engines/events/engine.ts';
import { keysEngine } from './engines/keys/engine.ts';
import { type LambdaEngine, type LambdaOptions, lambdaEngine } from './engines/lambda/engine.ts';
import { lambdaForward } from './engines/lambda/forward.ts';
import type { UserFunction } from './engines/lambda/user-function.ts';
import { makeUserFunctions, type UserFunctions } from './engines/lambda/users.ts';
import { passiveEngine } from './engines/passive.ts';
import { type StatesEngine, statesEngine } from './engines/states/engine.ts';
import type { Execution } from './engines/states/executions.ts';
import type { WireServer } from './engines/wire/server.ts';
import { shelfOf, type Vault } from './keep/vault.ts';
import { createMeter, type Meter } from './meter/meter.ts';
import { type Assembly, creationOrder, type Identity, loadAssembly, makeResolver, type Target } from './template.ts';

export interface RuntimeOptions {
  /** The cloud assembly, for example `cdk.out`. */
  outdir: string;
  /** The simulated AWS, listening, and its server, to which the runtime adds DynamoDB and Step Functions. */
  awsUrl: string;
  wireServer: WireServer;
  /** Another DynamoDB endpoint, for example DynamoDB Local, instead of dynalite. */
  otherDynamoDb?: string;
  /** Of the Kubernetes API; 0 takes a free one. */
  port: number;
  /** Where the certificate authority of the Kubernetes API is kept between starts. */
  tlsDirectory: string;
  accountId: string;
  region: string;
  /** Beside region, credentials and the endpoint of AWS, for every function. */
  environment?: Readonly<Record<string, string>>;
  /** What outlives the process; without it, nothing does. */
  keep?: RuntimeKeep;
  /** Events of the services; without it, only schedules invoke functions. */
  bus?: EventBus;
  /** True where schedules invoke nothing: sweeps run only on request. */
  withoutSchedules?: boolean;
  clock: Clock;
  random: Random;
  /** Counts what this would cost on AWS; without it, nothing is counted. */
  meter?: Meter;
  log: Log;
  /** Receives what the functions write to their standard output. */
  onFunctionLog: (functionName: string, text: string) => void;
  /** Hosts the functions instead of a worker thread. */
  host?: LambdaOptions['host'];
  /** Further functions of the account, which extensions may be. */
  functions?: readonly UserFunction[];
}

export interface RuntimeKeep {
  vault: Vault;
  /** Where the tables are. */
  tables: string;
  /** Whether an earlier start has kept something here. */
  isRestored: boolean;
}

export interface Runtime {
  /** Address of the Kubernetes API, without a slash at its end. */
  url: string;
  /** The authority that clients of the Kubernetes API must trust. */
  caPem: string;
  /** Outputs of the stack, resolved, for example `ClusterId`. `ApiUrl` is the address that AWS would give. */
  outputs: Readonly<Record<string, string>>;
  /** What the resources of the template are known by, by their logical ids. */
  identities: ReadonlyMap<string, Identity>;
  /** The account that the template was deployed to. */
  target: Target;
  /** Executions of the workflows, the newest first. */
  executions(): readonly Execution[];
  /** The definitions that run, by the name of the state machine. */
  definitions(): ReadonlyMap<string, string>;
  /** Invokes a function by its full name, for example `Windlass-drift`. */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /** What the functions hold in memory, all together. */
  functionsMegabytes(): Promise<number>;
  /** Stops everything that the runtime started; the simulated AWS continues. */
  stop(): Promise<void>;
}

const targetOf = ({ accountId, region }: RuntimeOptions): Target => ({
  partition: 'aws',
  accountId,
  region,
  urlSuffix: 'amazonaws.com',
  stackName: 'Windlass',
});

/** What Lambda gives to every function. The key id carries the account, as the simulated AWS reads it. */
const sharedEnvironment = (options: RuntimeOptions): Record<string, string> => ({
  AWS_REGION: options.region,
  AWS_DEFAULT_REGION: options.region,
  AWS_ACCESS_KEY_ID: options.accountId,
  AWS_SECRET_ACCESS_KEY: 'windlass',
  AWS_ENDPOINT_URL: options.awsUrl,
  // No settings of the person whose laptop it is.
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
  [CLUSTERS_ON_LOOPBACK]: 'true',
  ...options.environment,
});

interface Engines {
  lambda: LambdaEngine;
  users: UserFunctions;
  states: StatesEngine;
  gateway: ApiGatewayEngine;
  /** In the order in which they are started; what is called is started before what calls. */
  all: readonly Engine[];
}

const makeEngines = (options: RuntimeOptions, target: Target, { assets }: Assembly): Engines => {
  const { wireServer, awsUrl, clock, random, log, port, tlsDirectory, onFunctionLog, host } = options;
  const meter = options.meter ?? createMeter(clock);
  const shared = sharedEnvironment(options);
  const lambda = lambdaEngine({
    ...{ target, assets, shared, clock, random, meter, host },
    aws: wireServer,
    onLog: onFunctionLog,
  });
  const users = makeUserFunctions(options.functions ?? [], { target, shared, clock, random, onLog: onFunctionLog });
  const invoke = (arn: string, event: unknown) => lambda.invoker().invoke(lambda.nameOf(arn), event);
  const { vault, tables: directory, isRestored: isOverdue } = options.keep ?? {};
  const shelf = (name: string) => vault && shelfOf(vault, name);
  const states = statesEngine({
    ...{ target, wireServer, clock, random, meter, bus: options.bus },
    invoke: (arn, event) => lambda.invoker().invokeInTurn(lambda.nameOf(arn), event),
    vault: shelf('executions/'),
  });
  const gateway = apiGatewayEngine({
    target,
    port,
    tlsDirectory,
    invoke,
    stream: (arn, event, reader, signal) => {
      meter.requested();
      return lambda.invoker().stream(lambda.nameOf(arn), event, reader, signal);
    },
    clock,
    random,
    log,
  });
  const deliver = (arn: string, event: unknown) => {
    meter.delivered();
    return invoke(arn, event);
  };
  const { bus, withoutSchedules } = options;
  const events = eventsEngine({ target, bus, clock, random, log, invoke: deliver, isOverdue, withoutSchedules });
  const dynamodb = dynamodbEngine({
    target,
    wireServer,
    awsUrl,
    otherDynamoDb: options.otherDynamoDb,
    directory,
    count: meter.count,
    clock,
  });
  const keys = keysEngine({ target, awsUrl, vault: shelf('keys/') });
  const all = [passiveEngine(target), keys, dynamodb, lambda, states, gateway, events];
  return { lambda, users, states, gateway, all };
};

/** Makes all resources, each after what it depends on. Rejects for a type that no engine makes. */
const createAll = async ({ template }: Assembly, target: Target, engines: readonly Engine[]) => {
  const known = new Map<string, Identity>();
  const resolve = makeResolver(known, target);
  for (const logicalId of creationOrder(template)) {
    const definition = template.Resources[logicalId];
    if (definition === undefined) continue;
    const { Type: type, Properties = {} } = definition;
    const engine = engines.find(({ types }) => types.includes(type));
    if (engine === undefined) throw new Error(`the laptop does not know resources of type ${type} ("${logicalId}")`);
    // Tags are for people and bills; the laptop has neither.
    const { Tags: _, ...properties } = resolve(Properties) as Record<string, unknown>;
    known.set(logicalId, await engine.create({ logicalId, type, properties }));
  }
  const outputs = Object.entries(template.Outputs ?? {}).map(([name, { Value }]) => [name, String(resolve(Value))]);
  return { identities: known, outputs: Object.fromEntries(outputs) as Record<string, string> };
};

const stopAll = async (engines: readonly Pick<Engine, 'stop'>[]): Promise<void> => {
  for (const engine of [...engines].reverse()) await engine.stop?.();
};

/**
 * Runs the template of a cloud assembly. Rejects with an error in one line (a taken port, an unknown type of resource,
 * a state that the laptop cannot run), after everything that had been started is stopped again.
 */
export const startRuntime = async (options: RuntimeOptions): Promise<Runtime> => {
  const assembly = loadAssembly(options.outdir);
  const target = targetOf(options);
  const { lambda, users, states, gateway, all } = makeEngines(options, target, assembly);
  try {
    const { identities, outputs } = await createAll(assembly, target, all);
    for (const engine of all) await engine.start?.();
    const invoke = (functionName: string, event: unknown) => lambda.invoker().invoke(functionName, event);
    states.resume();
    options.wireServer.forward('lambda', lambdaForward(target, { has: lambda.has, invoke }, users));
    return {
      url: gateway.url(),
      caPem: gateway.caPem(),
      outputs,
      identities,
      target,
      executions: states.executions,
      definitions: states.definitions,
      invoke,
      functionsMegabytes: () => lambda.invoker().megabytes(),
      stop: () => stopAll([users, ...all]),
    };
  } catch (error) {
    await stopAll(all);
    throw error;
  }
};
