import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../shared/clock.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { Log } from '../../shared/log.ts';
import { API_CALL } from '../../shared/providers/aws/plan/drift/api-call.ts';
import { systemRandom } from '../../shared/random.ts';
import { type Account, type AccountOptions, createAccount } from '../local/account.ts';
import { type AwsOptions, startAws } from '../local/aws.ts';
import { withoutDryRuns } from '../local/dry-run.ts';
import { settle } from '../local/engines/autoscaling/settle.ts';
import { createDataPlane, type DataPlaneRegistry } from '../local/engines/elbv2/data-plane.ts';
import type { Credentials } from '../local/engines/sts/principals.ts';
import type { Call } from '../local/engines/wire/call.ts';
import { directTo } from '../local/engines/wire/direct.ts';
import { proxy } from '../local/engines/wire/proxy.ts';
import { HOME } from '../local/home.ts';
import type { HostsOptions } from '../local/hosts/hosts.ts';
import { keepAccount } from '../local/keep/account.ts';
import { type Keep, openKeep } from '../local/keep/keep.ts';
import { shelfOf, type Vault } from '../local/keep/vault.ts';
import { withLocalNames } from '../local/load-balancers/local-names.ts';
import type { Internet } from '../local/machines/ports.ts';
import { createMeter, type Meter } from '../local/meter/meter.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from '../local/runtime.ts';
import { loadAssembly } from '../local/template.ts';
import type { Access } from './kubeconfig/kubeconfig.ts';
import { type Machines, makeMachines, QUICK } from './laptop-machines.ts';
import { freeAgain } from './start/port.ts';

export interface LaptopOptions {
  /** The cloud assembly. */
  outdir: string;
  /** The port of the Kubernetes API; 0 selects a free one. */
  port: number;
  bootMilliseconds: number;
  /** True if instances are only listed, and none of them boots. */
  withoutMachines?: boolean;
  /** True if sweeps run only on request. */
  withoutSchedules?: boolean;
  tlsDirectory: string;
  /** The directory in which the state is kept for the next start; without it, the state ends with the process. */
  keep?: string;
  /** Simulated hosts in addition to the account, for a stack with the setting `hosts`. */
  hosts?: Pick<HostsOptions, 'count' | 'subnet'>;
  /** Another AWS endpoint, which serves machines, networks, load balancers and secrets. */
  otherAws?: string;
  /** Another DynamoDB endpoint, instead of dynalite. */
  otherDynamoDb?: string;
  log: Log;
  onFunctionLog: (functionName: string, text: string) => void;
  /** Called for every call to AWS, before it has any effect and after it ended. */
  calls?: Pick<AwsOptions, 'onRequest' | 'onCall'>;
  /** Runs the functions instead of a worker thread. */
  host?: RuntimeOptions['host'];
  /** Additional functions in the account, which may be extensions of topologies. */
  functions?: RuntimeOptions['functions'];
}

export interface Laptop {
  access: Access;
  /** The simulated account, with its quotas and injectable faults. */
  account: Account;
  /** What AWS would bill for all of this. */
  meter: Meter;
  /** The runtime: executions, definitions and functions that can be invoked. */
  runtime: Runtime;
  /** The Hosts and their Secret, for the user to apply. */
  hosts: readonly KubeObject[];
  /** Notes for the user about the given endpoints. */
  notes: readonly string[];
  /** The clusters that the simulated machines have formed. */
  clusters: Machines['clusters'];
  /** The boot output of a simulated machine. */
  console(instanceId: string): readonly string[];
  /**
   * Deletes the stack and deploys it again into the same account: the table and its key are lost, but the clusters are
   * not. The result replaces this laptop.
   */
  redeploy(): Promise<Laptop>;
  /** Stops everything. Safe to call twice. */
  stop(): Promise<void>;
}

/** The API under the name that AWS would give it, by which machines know it. */
const apiOf = ({ url, caPem, outputs }: Runtime): Internet => {
  const name = new URL(outputs.ApiUrl ?? url).hostname;
  const { hostname: host, port } = new URL(url);
  return (asked) => (asked === name ? { address: { host, port: Number(port) }, ca: caPem } : undefined);
};

/**
 * Services for the resources of a cluster. Identity, keys, tables and workflows are always simulated here, whatever the
 * endpoint.
 */
const REPLACEABLE = ['ec2', 'autoscaling', 'elasticloadbalancing', 'secretsmanager', 'ssm', 's3'];

/**
 * A second account, such as a user's own: a cluster with the identity in examples/spoke.yaml is created there (see
 * SUPPORT.md).
 */
const SPOKE = {
  accountId: '111111111111',
  roles: {
    'controllers.cluster-api-provider-aws.sigs.k8s.io': { principals: [HOME.accountId], externalId: 'windlass' },
  },
};

/** Collects what was started, and stops each item once, in reverse order. */
const makeStack = () => {
  const started: (() => Promise<void> | void)[] = [];
  return {
    push: (stop: () => Promise<void> | void) => started.push(stop),
    stop: async () => {
      for (let stop = started.pop(); stop !== undefined; stop = started.pop()) await stop();
    },
  };
};

/** Whether a rule in the template needs the events of a trail: if so, the account has one. */
const asksForCalls = (outdir: string): boolean =>
  Object.values(loadAssembly(outdir).template.Resources).some(
    ({ Type, Properties }) => Type === 'AWS::Events::Rule' && JSON.stringify(Properties).includes(API_CALL),
  );

/** Calls after which a region may have its first instances. */
const LAUNCHING = new Set(['RunInstances', 'CreateAutoScalingGroup']);

const UNTRIED =
  'Permissions are not checked at the endpoint of --aws before the first create, because such endpoints may execute dry runs (DryRun).';

/** The account and the second account, in the state that an earlier start has kept, if any. */
const makeAccounts = (vault: Vault | undefined) => {
  const shelf = (accountId: string) => vault && shelfOf(vault, `account/${accountId}/`);
  const make = (options: Omit<AccountOptions, 'clock' | 'random'> & { accountId: string }) => {
    const credentials = shelf(options.accountId)?.read<Credentials>('credentials');
    return createAccount({ clock: systemClock, random: systemRandom, credentials, ...options });
  };
  const account = make({ accountId: HOME.accountId });
  const spoke = make({ hub: account, ...SPOKE });
  const kept = vault
    ? [account, spoke].map((one) => ({ one, ...keepAccount(one, shelfOf(vault, `account/${one.accountId}/`)) }))
    : [];
  const elbs = ({ one, regions }: (typeof kept)[number]) =>
    regions.flatMap((region) => [one.elbv2(region), one.elb(region).path]);
  return {
    account,
    spoke,
    regions: kept.map(({ one, regions }) => [one, regions] as const),
    reopened: kept.flatMap(elbs),
    saveAfter: (call: Call): void => {
      const owner = account.accountOf(call.accessKeyId);
      kept.find(({ one }) => one === owner)?.saveAfter(call);
    },
  };
};

/**
 * The simulated account behind one address, with machines in every region where instances are launched. Calls that
 * `otherAws` serves are relayed to it.
 */
const startAccount = async (
  { outdir, log, otherAws, calls }: LaptopOptions,
  dataPlane: DataPlaneRegistry,
  machines: Machines,
  { keep, meter }: { keep: Keep | undefined; meter: Meter },
) => {
  const { account, spoke, saveAfter, regions, reopened } = makeAccounts(keep?.vault);
  const follow = (region: string, { credentials, accountId, bus }: Account) =>
    machines.follow(region, {
      ...{ endpoint: aws.url, credentials, accountId, bus },
      requestHandler: directTo(aws.server, setImmediate),
    });
  const aws = await startAws({
    account,
    reopened,
    port: await freeAgain(keep?.vault.read<number>('port/aws')),
    hasTrail: asksForCalls(outdir),
    dataPlane,
    log: log.with({ part: 'aws' }),
    consoleOf: machines.consoleOf,
    onRequest: calls?.onRequest,
    onCall: (call, code, exchange) => {
      saveAfter(call);
      if (LAUNCHING.has(call.operation)) follow(call.region, account.accountOf(call.accessKeyId));
      meter.called(call, code, exchange.input);
      calls?.onCall?.(call, code, exchange);
    },
  });
  if (otherAws !== undefined) {
    const relay = withLocalNames(proxy(otherAws));
    for (const service of REPLACEABLE) aws.server.forward(service, relay);
    aws.server.forward('ec2', withoutDryRuns(relay));
  }
  keep?.vault.write('port/aws', Number(new URL(aws.url).port));
  for (const [owner, names] of regions)
    for (const region of names) {
      follow(region, owner);
      settle(owner.autoscaling(region));
    }
  follow(account.region, account);
  return { account, spoke, aws, notes: otherAws === undefined ? [] : [UNTRIED] };
};

const startSimulatedHosts = async ({ hosts, bootMilliseconds, log }: LaptopOptions) => {
  if (!hosts) return undefined;
  const { retryMilliseconds } = QUICK;
  const parts = { clock: systemClock, random: systemRandom, log: log.with({ part: 'hosts' }) };
  const { startHosts } = await import('../local/hosts/hosts.ts');
  return startHosts({ ...hosts, ...parts, bootMilliseconds, retryMilliseconds });
};

/**
 * Starts everything. If something fails, for example because the port is in use, stops everything that was started and
 * rejects with an error of one line.
 */
export const startLaptop = async (options: LaptopOptions): Promise<Laptop> => {
  const stack = makeStack();
  const dataPlane = createDataPlane();
  const keep = options.keep === undefined ? undefined : openKeep(options.keep);
  const machines = makeMachines(options, dataPlane, keep?.vault);
  const meter = createMeter(systemClock);
  try {
    const { account, spoke, aws, notes } = await startAccount(options, dataPlane, machines, { keep, meter });
    stack.push(account.bus.close);
    stack.push(spoke.bus.close);
    stack.push(aws.close);
    stack.push(machines.close);
    const hosts = await startSimulatedHosts(options);
    if (hosts) stack.push(hosts.close);
    const { region, accountId, credentials } = account;
    const deploy = async (): Promise<Laptop> => {
      const runtime = await startRuntime({
        ...options,
        keep,
        port: options.port || (await freeAgain(keep?.vault.read<number>('port/api'))),
        awsUrl: aws.url,
        wireServer: aws.server,
        accountId,
        region,
        bus: account.bus,
        meter,
        clock: systemClock,
        random: systemRandom,
        log: options.log.with({ part: 'runtime' }),
      });
      stack.push(runtime.stop);
      const { url: server, caPem, outputs } = runtime;
      keep?.vault.write('port/api', Number(new URL(server).port));
      machines.reach(apiOf(runtime));
      const access = { server, caPem, awsUrl: aws.url, clusterId: outputs.ClusterId ?? '', region, credentials };
      const redeploy = async () => {
        await runtime.stop();
        return deploy();
      };
      const stop = async (): Promise<void> => {
        // This comes first: what is stopped below continues at the next start, and must not be stored as ended.
        keep?.vault.seal();
        await stack.stop();
        keep?.vault.close();
      };
      const objects = hosts?.objects ?? [];
      const found = { clusters: machines.clusters, console: machines.consoleOf };
      return { access, account, meter, runtime, hosts: objects, notes, ...found, redeploy, stop };
    };
    return await deploy();
  } catch (error) {
    keep?.vault.seal();
    await stack.stop();
    keep?.vault.close();
    throw error;
  }
};
