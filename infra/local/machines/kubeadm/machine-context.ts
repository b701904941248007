import type { Log } from '../../../../shared/log.ts';
import type { Random } from '../../../../shared/random.ts';
import type { BootLog } from '../boot-log.ts';
import type { Address, DataPlane, Instance } from '../ports.ts';
import type { FileSystem } from '../user-data/file-system.ts';
import type { ClusterRegistry } from '../workload-cluster/registry.ts';
import type { Route } from './route.ts';
import type { Waiting } from './wait.ts';

/** Something that runs as long as the machine does, and again after it was stopped and started. */
export type Service = (signal: AbortSignal) => Promise<void>;

/** What kubeadm finds on the machine that it runs on. */
export interface MachineContext extends Waiting {
  instance: Instance;
  /** Kubernetes version of the image, with a leading `v`; undefined where the image's name does not tell. */
  imageVersion: string | undefined;
  /** Whether kubeadm is there, from the image or installed. */
  hasKubeadm: boolean;
  files: FileSystem;
  bootLog: BootLog;
  random: Random;
  /** The workload clusters of this process. */
  clusters: ClusterRegistry;
  dataPlane: DataPlane;
  /** How the machine resolves names. */
  route: Route;
  /** Where the machine itself answers a port. */
  ownAddress(port: number): Address | undefined;
  /** The machine begins to answer a port, until `signal` aborts. */
  listens(port: number, address: Address, signal: AbortSignal): void;
  log: Log;
  /** Starts a service; it ends when the machine stops. */
  start(service: Service): void;
  /** Ends all services permanently, as `kubeadm reset` does. */
  reset(): Promise<void>;
  /** Registers what happens when the instance is terminated and its disk goes. */
  onDiskLost(act: () => void): void;
}
