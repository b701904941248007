import type { Log } from '../../../../shared/log.ts';
import type { Random } from '../../../../shared/random.ts';
import type { BootLog } from '../boot-log.ts';
import type { Address, DataPlane, Instance, Internet } from '../ports.ts';
import type { FileSystem } from '../user-data/file-system.ts';
import type { ClusterRegistry } from '../workload-cluster/registry.ts';
import type { Route } from './route.ts';
import type { Waiting } from './wait.ts';

/** A program that runs as long as the machine does, and again after the machine was stopped and started. */
export type Service = (signal: AbortSignal, onReady: () => void) => Promise<void>;

/**
 * A service on the machine's disk, with its kind and the data with which it was installed. The service may change
 * `data`.
 */
export interface ServiceRecord {
  kind: 'api-server' | 'kubelet' | 'rke2-server';
  data: object;
}

/** The parts of a machine that services need. */
export type ServiceMachine = Pick<
  MachineContext,
  | 'instance'
  | 'dataPlane'
  | 'clock'
  | 'random'
  | 'log'
  | 'bootLog'
  | 'clusters'
  | 'listens'
  | 'route'
  | 'internet'
  | 'retryMilliseconds'
>;

/** The environment in which kubeadm runs on a machine. */
export interface MachineContext extends Waiting {
  instance: Instance;
  /** Kubernetes version of the image, with a leading `v`; undefined if the image's name does not contain it. */
  imageVersion: string | undefined;
  /** Whether kubeadm exists, in the image or because it was installed. */
  hasKubeadm: boolean;
  files: FileSystem;
  bootLog: BootLog;
  random: Random;
  /** The workload clusters of this process. */
  clusters: ClusterRegistry;
  dataPlane: DataPlane;
  /** The name resolution of the machine. */
  route: Route;
  /** The servers that it reaches by their public names. */
  internet: Internet;
  /** The address at which the machine itself serves a port. */
  ownAddress(port: number): Address | undefined;
  /** Makes the machine answer on a port until `signal` aborts. */
  listens(port: number, address: Address, signal: AbortSignal): void;
  log: Log;
  /** Installs and starts a service, which ends when the machine stops. Resolves when it is ready. */
  start(service: ServiceRecord): Promise<void>;
  /** The parameters of a service that was installed before the laptop was stopped during the first boot. */
  resumed<Data>(kind: ServiceRecord['kind']): Data | undefined;
  /** Ends all services permanently, as `kubeadm reset` does. */
  reset(): Promise<void>;
  /** Records that the machine has a member of a cluster's etcd on its disk, which is lost with the machine. */
  holds(member: { uid: string; name: string }): void;
}
