/** `windlass start`: the complete system on this computer, and the manifests to be applied to it. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import { systemClock } from '../../../shared/clock.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { namespaceOfRancher } from '../../../shared/kinds/rancher-cluster/names.ts';
import type { PriceList } from '../../../shared/providers/aws/plan/cost/prices.ts';
import { billOf } from '../../../shared/providers/aws/plan/cost/usage.ts';
import { type Api, makeApi } from '../api/client.ts';
import { apply } from '../apply/apply.ts';
import { type Manifest, readManifests } from '../apply/manifest.ts';
import { environmentText, kubeconfigText } from '../kubeconfig/kubeconfig.ts';
import type { Laptop } from '../laptop.ts';
import { PATHS } from '../paths.ts';
import { readPrices } from '../prices.ts';
import { type Followed, follow } from '../progress/follow.ts';
import { liveScreen, plainScreen } from '../progress/screen.ts';
import type { ClusterName } from '../progress/snapshot.ts';
import { reasonsOf } from '../progress/verdict.ts';
import { followActivity } from '../start/activity.ts';
import { runBillText } from '../start/bill-text.ts';
import { type FaultOptions, readFaults } from '../start/faults.ts';
import { readFunctions, withFunctions } from '../start/functions.ts';
import { takeHome } from '../start/home.ts';
import { openLogs } from '../start/logs.ts';
import { requireFreePort } from '../start/port.ts';
import { builtText, hostsText, missingText, readyText, stateText, stoppedText, vsphereText } from '../start/texts.ts';
import { prepareVsphere, startBeside } from '../start/vsphere.ts';
import type { VspherePrograms } from '../vsphere/programs.ts';
import type { Vsphere } from '../vsphere/vsphere.ts';
import { contextOf } from './context.ts';
import { untilInterrupted } from './interrupt.ts';
import { synth } from './synth.ts';

export interface StartOptions extends FaultOptions {
  /** Files of manifests, applied in this order. */
  apply: readonly string[];
  once: boolean;
  /** The seconds to wait for the applied clusters. */
  timeout: number;
  /** The port of the Kubernetes API; 0 selects a free one. */
  port: number;
  /** Simulated boot time in seconds. */
  boot: number;
  /** The number of simulated hosts; if undefined, there are none and hosts are not served. */
  hosts?: number;
  /** Whether the vSphere provider runs as well, with a simulated vCenter. */
  vsphere?: boolean;
  /** Whether the state outlives the process. */
  keep?: boolean;
  /** Another AWS endpoint, instead of the simulated account. */
  aws?: string;
  /** Another DynamoDB endpoint instead of dynalite. */
  dynamodb?: string;
  /** Settings of the stack, as `key=value`. */
  context: readonly string[];
  /** Functions of the account in addition to those of the stack, as `name=file`. */
  function: readonly string[];
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const PRIVATE = 0o600;

const writePrivate = (path: string, text: string): void => {
  writeFileSync(path, text, { mode: PRIVATE });
  // The mode above applies only to new files.
  chmodSync(path, PRIVATE);
};

const writeAccess = ({ access, hosts }: Laptop): void => {
  mkdirSync(PATHS.state, { recursive: true });
  writePrivate(PATHS.kubeconfig, kubeconfigText(access));
  writePrivate(PATHS.env, environmentText(access));
  if (hosts.length > 0) writePrivate(PATHS.hosts, hosts.map((object) => stringify(object)).join('---\n'));
};

const clustersIn = (manifests: readonly Manifest[]): ClusterName[] =>
  manifests.flatMap(({ object: { kind, apiVersion, metadata } }) => {
    const [group] = apiVersion.split('/');
    const { name, namespace = 'default' } = metadata;
    if (kind === 'Cluster' && group === 'cluster.x-k8s.io') return [{ namespace, name }];
    if (kind !== 'Cluster' || group !== kinds.rancherCluster.group) return [];
    return [{ namespace: namespaceOfRancher(name), name, ofRancher: true }];
  });

const sinceThen = (then: Date): number => (systemClock.now().getTime() - then.getTime()) / 1000;

const watch = (api: Api, clusters: readonly ClusterName[], timeout: number, signal: AbortSignal): Promise<Followed> => {
  const startedAt = systemClock.now();
  const { stdout } = process;
  const screen = stdout.isTTY ? liveScreen(stdout, () => sinceThen(startedAt)) : plainScreen(say);
  return follow({ api, clusters, screen, clock: systemClock, startedAt, timeoutSeconds: timeout, signal });
};

/** Reports the state of the clusters. Resolves to whether all of them are complete. */
const conclude = ({ complete, snapshots, seconds }: Followed, options: StartOptions): boolean => {
  for (const snapshot of snapshots) {
    const reasons = reasonsOf(snapshot);
    const { name } = snapshot;
    if (reasons.length === 0) say(`\n${builtText(snapshot, seconds, options)}`);
    else process.stderr.write(`\n${missingText(name, seconds, reasons)}\n`);
  }
  return complete;
};

/** Applies the manifests and follows their clusters. Resolves to whether everything reached its desired state. */
const fulfil = async (options: StartOptions, manifests: readonly Manifest[], laptop: Laptop, signal: AbortSignal) => {
  const api = makeApi(laptop.access, systemClock);
  const hosts = laptop.hosts.map((object) => ({ file: PATHS.hosts, object }));
  try {
    say('');
    const refusals = await apply(api, [...hosts, ...manifests], say);
    for (const refusal of refusals) process.stderr.write(`${refusal}\n`);
    const clusters = clustersIn(manifests);
    if (refusals.length > 0 || clusters.length === 0) return refusals.length === 0;
    return conclude(await watch(api, clusters, options.timeout, signal), options);
  } finally {
    api.close();
  }
};

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) return done();
    // A pending timer keeps the process alive even if everything else has ended.
    const alive = setInterval(() => {}, 60_000);
    signal.addEventListener('abort', () => {
      clearInterval(alive);
      done();
    });
  });

/** Shows the activity of clusters as long as they can be read; everything else works without it. */
const showActivity = async (options: StartOptions, laptop: Laptop, signal: AbortSignal): Promise<void> => {
  const api = makeApi(laptop.access, systemClock);
  const writes = () => (options.dynamodb === undefined ? laptop.meter.usage().writeUnits : undefined);
  try {
    say('\nChanges of all clusters, as they happen:\n');
    await followActivity({ api, clock: systemClock, writes }, say, signal);
  } catch (error) {
    process.stderr.write(`Changes are no longer shown: ${(error as Error).message}\n`);
  } finally {
    api.close();
  }
};

const run = async (options: StartOptions, manifests: readonly Manifest[], laptop: Laptop, signal: AbortSignal) => {
  const isNothing = manifests.length === 0 && laptop.hosts.length === 0;
  const fulfilled = isNothing || (await fulfil(options, manifests, laptop, signal));
  if (options.once) return fulfilled ? 0 : 1;
  await Promise.all([untilAborted(signal), showActivity(options, laptop, signal)]);
  return 0;
};

const check = (options: StartOptions): Manifest[] => {
  if (options.keep && (options.aws || options.dynamodb))
    throw new Error(
      '--keep keeps the simulated account, so it cannot be combined with --aws or --dynamodb: leave one out',
    );
  if (options.keep && options.hosts)
    throw new Error('--keep does not keep simulated hosts, so it cannot be combined with --hosts: leave one out');
  if (options.keep && options.vsphere)
    throw new Error(
      '--keep does not keep the simulated vCenter, so it cannot be combined with --vsphere: leave one out',
    );
  const manifests = options.apply.flatMap(readManifests);
  if (options.once && clustersIn(manifests).length === 0)
    throw new Error('--once waits for Clusters, but no file that is to be applied (--apply FILE) holds one');
  return manifests;
};

/** The command line as it was read before anything started. */
interface Prepared {
  begun: Date;
  manifests: readonly Manifest[];
  context: Record<string, string>;
  functions: ReturnType<typeof readFunctions>;
  applyFaults(account: Laptop['account']): void;
  prices: readonly PriceList[];
  vsphere: VspherePrograms | undefined;
}

const serve = async (
  options: StartOptions,
  { begun, manifests, context, functions, applyFaults, prices, vsphere }: Prepared,
): Promise<number> => {
  const signal = untilInterrupted();
  say('Starting Windlass with a simulated AWS account...');
  const { outdir } = await synth({ quiet: true, context });
  const { startLaptop } = await import('../laptop.ts');
  const logs = openLogs(PATHS.logs);
  const laptop = await startLaptop({
    outdir,
    port: options.port,
    bootMilliseconds: options.boot * 1000,
    tlsDirectory: PATHS.tls,
    ...(options.keep ? { keep: PATHS.keep } : {}),
    ...(options.hosts ? { hosts: { count: options.hosts } } : {}),
    otherAws: options.aws,
    otherDynamoDb: options.dynamodb,
    functions,
    ...logs,
  });
  let beside: Vsphere | undefined;
  try {
    applyFaults(laptop.account);
    writeAccess(laptop);
    say(readyText(sinceThen(begun), laptop.access.server));
    if (laptop.hosts.length > 0) say(`\n${hostsText(options.hosts ?? 0)}`);
    say(`\n${stateText(options.keep ?? false)}`);
    for (const note of laptop.notes) say(`\n${note}`);
    beside = vsphere && (await startBeside(laptop.access, vsphere, { boot: options.boot, log: logs.log }));
    if (beside) say(`\n${vsphereText(beside.vcenter.address)}`);
    const code = await run(options, manifests, laptop, signal);
    if (options.once) {
      const { account, meter } = laptop;
      say(`\n${runBillText(billOf(meter.usage(), account.region, prices))}`);
      say(
        `\n${stoppedText(
          options.apply.map((file) => resolve(file)),
          options,
        )}`,
      );
    }
    return code;
  } finally {
    await beside?.stop();
    await laptop.stop();
    await logs.close();
  }
};

/**
 * Starts everything and runs until Ctrl-C, which ends with 0. With `once`, it ends with 0 when every applied Cluster is
 * Available and all its machines are Running, or at the timeout with 1 and the reasons. Rejects with an error of one
 * line.
 */
export const start = async (options: StartOptions): Promise<number> => {
  const begun = systemClock.now();
  const manifests = check(options);
  const applyFaults = await readFaults(options);
  const functions = readFunctions(options.function);
  const hosts: Record<string, string> = options.hosts ? { hosts: 'true' } : {};
  const context = withFunctions({ ...hosts, ...contextOf(options.context) }, functions);
  const prices = readPrices(process.env.WINDLASS_PRICES);
  await requireFreePort(options.port);
  const vsphere = options.vsphere ? await prepareVsphere(say) : undefined;
  const release = takeHome(PATHS.state, { pid: process.pid, since: begun.toISOString() });
  try {
    return await serve(options, { begun, manifests, context, functions, applyFaults, prices, vsphere });
  } finally {
    release();
  }
};
