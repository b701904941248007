import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { EC2Client } from '@aws-sdk/client-ec2';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SSMClient } from '@aws-sdk/client-ssm';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import type { Random } from '../../../shared/random.ts';
import { makeAlarm } from '../alarm.ts';
import { shelfOf, type Vault } from '../keep/vault.ts';
import { makeCloud, makeSecretChunks } from './aws-cloud.ts';
import { makeRemote } from './aws-remote.ts';
import { isIgnitionImage, runIgnition } from './ignition/run.ts';
import { messageOf } from './kubeadm/error.ts';
import { isStockImage, versionOfImage } from './kubeadm/version.ts';
import { type FirstBoot, type Machine, type MachineOptions, makeMachine } from './machine.ts';
import type { Cloud, DataPlane, Instance, InstanceState, Internet, Remote, SecretChunks } from './ports.ts';
import { runUserData } from './user-data/run.ts';
import { createWorkloadCluster, type KeptCluster, type WorkloadCluster } from './workload-cluster/cluster.ts';
import { type ClusterRegistry, makeClusterRegistry } from './workload-cluster/registry.ts';

export interface FleetSettings {
  clock: Clock;
  random: Random;
  dataPlane: DataPlane;
  /** Names that the DNS of the VPCs resolves but that of this computer does not, with their addresses. */
  names?: ReadonlyMap<string, string>;
  /** The time from the instance's state `running` to the start of cloud-init. */
  bootMilliseconds: number;
  /** Servers on this computer that machines reach by their public names; none by default. */
  internet?: Internet;
  log: Log;
  /** How often the instances are polled; default 500. */
  pollMilliseconds?: number;
  /**
   * Calls `ring` whenever an instance may have changed, until the returned function is called. Meanwhile, instances are
   * polled less and less often while nothing changes.
   */
  onNews?: (ring: () => void) => () => void;
  /** The pause between two attempts of kubeadm and kubelet; default 500. */
  retryMilliseconds?: number;
  /** Called at the beginning of a first boot, before user data are executed. */
  onFirstBoot?(machine: FirstBoot): void;
  /**
   * A poll that takes longer than this is followed by a pause of a multiple of its length, even if changes are
   * reported. The pause has the upper limit above: after a computer was suspended for a minute, it must not be four
   * minutes.
   */
  vault?: Vault;
}

export interface FleetOptions extends FleetSettings {
  /** Clients of one region, at any endpoint. */
  ec2: EC2Client;
  secretsManager: SecretsManagerClient;
  ssm: SSMClient;
  s3: S3Client;
  /** Without it, no machine waits until it is in service. */
  autoScaling?: AutoScalingClient;
}

/** The simulated machines of one region. */
export interface Fleet {
  /** Follows the instances until the signal aborts. Never rejects: a failed poll is logged and repeated. */
  run(signal: AbortSignal): Promise<void>;
  /** The clusters that the machines have formed. */
  clusters(): readonly WorkloadCluster[];
  /** The boot log of an instance's machine, empty if there is none. Contains no secret. */
  console(instanceId: string): string[];
  /** Stops all machines and discards their clusters. */
  close(): Promise<void>;
}

/** EC2 is eventually consistent: an instance counts as gone only if it was missing in this many polls. */
const LOOKS_UNTIL_GONE = 3;

/** The longest pause between two polls if changes are reported. */
const QUIET_MILLISECONDS = 5000;

/**
 * A poll that takes longer is followed by a pause of so many times its length, also if changes are reported; but never
 * by a longer one than above: a computer that was suspended for a minute must not wait for four.
 */
const LONG_MILLISECONDS = 100;
const TIMES = 4;

/** States that end by themselves. */
const PASSING: ReadonlySet<InstanceState> = new Set(['pending', 'stopping', 'shutting-down']);

/** Consoles of terminated instances that can still be read, as EC2 keeps them for about an hour. */
const KEPT_CONSOLES = 100;

interface Entry {
  /** Undefined for an instance without user data, which is not simulated. */
  machine: Machine | undefined;
  looksWithout: number;
}

/** The clusters of an earlier start, without the machines that serve them. */
const restoreClusters = async (vault: Vault, clusters: ClusterRegistry, settings: FleetSettings): Promise<void> => {
  const uids = new Set(vault.names('').map((name) => name.split('/')[0] ?? ''));
  for (const restoredUid of uids) {
    const cluster = vault.read<KeptCluster>(`${restoredUid}/cluster`);
    if (!cluster) continue;
    const instances = clusters.instancesBeside(cluster);
    clusters.add(await createWorkloadCluster({ ...settings, ...cluster, instances, vault, restoredUid }));
  }
};

/** The parts of their account that machines can reach. */
interface Reached {
  secrets: SecretChunks;
  remote: Remote;
}

type System = Pick<MachineOptions, 'system' | 'firstBoot'>;

/** An image with cloud-init. `userData` is base64, as EC2 keeps it. */
const ubuntu = (userData: string, { secrets }: Reached): System => ({
  system: 'Ubuntu 24.04.3 LTS',
  firstBoot: async (machine) => {
    await runUserData(userData, { ...machine, secrets });
    machine.log.line('cloud-init', 'finished');
  },
});

/** An image with Ignition. */
const flatcar = (userData: string, { remote }: Reached): System => ({
  system: 'Flatcar Container Linux',
  firstBoot: (machine) => runIgnition(userData, { ...machine, remote }),
});

const observed = ({ system, firstBoot }: System, onFirstBoot: FleetSettings['onFirstBoot']): System => ({
  system,
  firstBoot: (machine) => {
    onFirstBoot?.(machine);
    return firstBoot(machine);
  },
});

/** A fleet with narrow ports, so that tests need no AWS. */
export const createFleetOver = (cloud: Cloud, account: Reached, settings: FleetSettings): Fleet => {
  const { clock, log, pollMilliseconds = 500, retryMilliseconds = 500 } = settings;
  const { vault } = settings;
  const kept = vault && { machines: shelfOf(vault, 'machine/'), clusters: shelfOf(vault, 'cluster/') };
  const instances = async () => (await cloud.instances()).map(({ instance }) => instance);
  const clusters = makeClusterRegistry(instances, kept?.clusters);
  const entries = new Map<string, Entry>();
  const consoles = new LRUCache<string, string[]>({ max: KEPT_CONSOLES });

  const build = async (instance: Instance): Promise<Machine | undefined> => {
    const userData = await cloud.userData(instance.id);
    if (userData === undefined) return undefined;
    const imageName = (await cloud.imageName(instance.imageId)) ?? '';
    const system = isIgnitionImage(imageName) ? flatcar(userData, account) : ubuntu(userData, account);
    return makeMachine({
      ...settings,
      imageVersion: versionOfImage(imageName),
      isStock: isStockImage(imageName),
      instance,
      ...observed(system, settings.onFirstBoot),
      isInService: async () => (await cloud.isInService?.(instance.id)) === true,
      retryMilliseconds,
      clusters,
      vault: kept?.machines,
    });
  };

  const start = async (instance: Instance): Promise<void> => {
    const entry = entries.get(instance.id) ?? { machine: await build(instance), looksWithout: 0 };
    entry.looksWithout = 0;
    entries.set(instance.id, entry);
    entry.machine?.start();
  };

  const end = async (id: string, entry: Entry): Promise<void> => {
    entries.delete(id);
    if (!entry.machine) return;
    await entry.machine.terminate();
    consoles.set(id, entry.machine.console());
  };

  const follow = async (instance: Instance, state: InstanceState): Promise<void> => {
    const isEnding = state === 'shutting-down' || state === 'terminated';
    // Terminated before the first poll of this start: its kept state must be deleted.
    if (isEnding && !entries.has(instance.id) && kept?.machines.read(instance.id))
      entries.set(instance.id, { machine: await build(instance), looksWithout: 0 });
    const entry = entries.get(instance.id);
    if (state === 'running') await start(instance);
    else if (entry && (state === 'stopping' || state === 'stopped')) await entry.machine?.stop();
    else if (entry && isEnding) await end(instance.id, entry);
  };

  let stateText = '';

  /** Polls once. Returns whether another poll would find the same, as far as this one shows. */
  const look = async (): Promise<boolean> => {
    const found = await cloud.instances();
    const ids = new Set(found.map(({ instance }) => instance.id));
    // Machines start independently of each other: one whose user data cannot be read does not block others.
    const results = await Promise.allSettled(found.map(({ instance, state }) => follow(instance, state)));
    const failures = results.filter((result) => result.status === 'rejected');
    for (const { reason } of failures) log.warn('an instance could not be followed', { reason: messageOf(reason) });
    const missing = [...entries].filter(([id]) => !ids.has(id));
    for (const [id, entry] of missing) {
      entry.looksWithout += 1;
      if (entry.looksWithout >= LOOKS_UNTIL_GONE) await end(id, entry);
    }
    const before = stateText;
    stateText = found.map(({ instance, state }) => `${instance.id} ${state}`).join();
    const isPassing = found.some(({ state }) => PASSING.has(state));
    return stateText === before && !isPassing && failures.length === 0 && missing.length === 0;
  };

  const isQuiet = async (): Promise<boolean> => {
    try {
      return await look();
    } catch (error) {
      log.warn('the instances could not be listed', { reason: messageOf(error) });
      return false;
    }
  };

  return {
    run: async (signal) => {
      const alarm = makeAlarm(clock);
      const longest = settings.onNews ? QUIET_MILLISECONDS : pollMilliseconds;
      const endNews = settings.onNews?.(alarm.ring);
      if (kept) await restoreClusters(kept.clusters, clusters, settings);
      let pause = pollMilliseconds;
      while (!signal.aborted) {
        const begun = clock.now().getTime();
        pause = (await isQuiet()) ? Math.min(2 * pause, longest) : pollMilliseconds;
        // Lists of hundreds of instances would take processor time from the clusters to which they belong.
        const took = clock.now().getTime() - begun;
        const rest = Math.min(TIMES * took, QUIET_MILLISECONDS);
        if (took > LONG_MILLISECONDS) await clock.sleep(rest, signal).catch(() => undefined);
        await alarm.wait(pause, signal);
      }
      endNews?.();
    },
    clusters: clusters.all,
    console: (instanceId) => entries.get(instanceId)?.machine?.console() ?? consoles.get(instanceId) ?? [],
    close: async () => {
      await Promise.all([...entries].map(([id, entry]) => end(id, entry)));
      clusters.closeAll();
    },
  };
};

/**
 * Simulates the machines inside the instances of an account and region. Each running instance with user data boots and
 * executes it; whether it becomes a node depends on the user data.
 */
export const createFleet = ({ ec2, secretsManager, ssm, s3, autoScaling, ...settings }: FleetOptions): Fleet => {
  const account = { secrets: makeSecretChunks(secretsManager, ssm), remote: makeRemote(s3) };
  return createFleetOver(makeCloud(ec2, autoScaling), account, settings);
};
