/** The whole of Windlass on this computer: simulated AWS, the synthesized template, simulated machines. */
import { EC2Client } from '@aws-sdk/client-ec2';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { systemClock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { systemRandom } from '../../shared/random.ts';
import { type Account, createAccount } from '../local/account.ts';
import { startAws } from '../local/aws.ts';
import { createDataPlane, type DataPlaneRegistry } from '../local/engines/elbv2/data-plane.ts';
import { proxy } from '../local/engines/wire/proxy.ts';
import { createFleet } from '../local/machines/fleet.ts';
import { type Runtime, startRuntime } from '../local/runtime.ts';
import type { Access } from './kubeconfig/kubeconfig.ts';

export interface LaptopOptions {
  /** The cloud assembly. */
  outdir: string;
  /** Of the Kubernetes API; 0 takes a free one. */
  port: number;
  bootMilliseconds: number;
  tlsDirectory: string;
  /** Another AWS endpoint, which answers for machines, networks, load balancers and secrets. */
  otherAws?: string;
  log: Log;
  onFunctionLog: (functionName: string, text: string) => void;
}

export interface Laptop {
  access: Access;
  /** The simulated account: its quotas, and faults that can be put into it. */
  account: Account;
  /** What runs: executions, definitions, functions to be invoked. */
  runtime: Runtime;
  /** What a simulated machine has said while it booted. */
  console(instanceId: string): readonly string[];
  /** Stops everything. Safe to call twice. */
  stop(): Promise<void>;
}

/** What a cluster is made of; identity, keys, tables and workflows stay our own behind any endpoint. */
const REPLACEABLE = ['ec2', 'elasticloadbalancing', 'secretsmanager', 'ssm'];

/** What was started, to be stopped in the reverse order, each once. */
const makeStack = () => {
  const started: (() => Promise<void> | void)[] = [];
  return {
    push: (stop: () => Promise<void> | void) => started.push(stop),
    stop: async () => {
      for (let stop = started.pop(); stop !== undefined; stop = started.pop()) await stop();
    },
  };
};

/** Machines in the account behind `awsUrl`, until they are closed. */
const startMachines = (options: LaptopOptions, dataPlane: DataPlaneRegistry, access: Omit<Access, 'server'>) => {
  const { bootMilliseconds, log } = options;
  const client = { region: access.region, endpoint: access.awsUrl, credentials: access.credentials };
  const [ec2, secretsManager] = [new EC2Client(client), new SecretsManagerClient(client)];
  const part = log.with({ part: 'machines' });
  const settings = { clock: systemClock, random: systemRandom, dataPlane, bootMilliseconds, log: part };
  const fleet = createFleet({ ...settings, ec2, secretsManager });
  const ended = new AbortController();
  const running = fleet.run(ended.signal);
  const stop = async () => {
    ended.abort();
    await running;
    await fleet.close();
  };
  return { fleet, stop };
};

/** The simulated account behind one address; what `otherAws` answers for is relayed to it. */
const startAccount = async (
  { log, otherAws }: LaptopOptions,
  dataPlane: DataPlaneRegistry,
  consoleOf: (instanceId: string) => readonly string[],
) => {
  const account = createAccount({ clock: systemClock, random: systemRandom });
  const aws = await startAws({ account, dataPlane, consoleOf, log: log.with({ part: 'aws' }) });
  if (otherAws !== undefined) for (const service of REPLACEABLE) aws.server.forward(service, proxy(otherAws));
  return { account, aws };
};

/**
 * Starts everything. Rejects with one line that says what is wrong, for example that the port is in use, after what had
 * been started is stopped again.
 */
export const startLaptop = async (options: LaptopOptions): Promise<Laptop> => {
  const stack = makeStack();
  const dataPlane = createDataPlane();
  // The machines need the account, and the account shows what the machines write.
  let machines: ReturnType<typeof startMachines> | undefined;
  const consoleOf = (instanceId: string) => machines?.fleet.console(instanceId) ?? [];
  try {
    const { account, aws } = await startAccount(options, dataPlane, consoleOf);
    stack.push(aws.close);
    const { region, accountId, credentials } = account;
    const runtime = await startRuntime({
      ...options,
      awsUrl: aws.url,
      wireServer: aws.server,
      accountId,
      region,
      clock: systemClock,
      random: systemRandom,
      log: options.log.with({ part: 'runtime' }),
    });
    stack.push(runtime.stop);
    const { url: server, caPem, outputs } = runtime;
    const access = { server, caPem, awsUrl: aws.url, clusterId: outputs.ClusterId ?? '', region, credentials };
    machines = startMachines(options, dataPlane, access);
    stack.push(machines.stop);
    return { access, account, runtime, console: consoleOf, stop: stack.stop };
  } catch (error) {
    await stack.stop();
    throw error;
  }
};
