import type { BootstrapUser, DiskSetup, KubeadmConfigSpec } from './kubeadm/spec.ts';

/** A file of a machine's first boot. `content` is text, or encoded according to `encoding`. */
export interface BootFile {
  path: string;
  owner?: string;
  permissions?: string;
  encoding?: 'base64' | 'gzip' | 'gzip+base64';
  append?: boolean;
  content: string;
}

/**
 * Everything that a machine does at its first boot to become a node. A distribution (kubeadm, RKE2) determines the
 * actions, a format (cloud-init, Ignition) encodes them; they are independent of each other.
 */
export interface MachineSetup {
  /** Run at every boot, before anything else. */
  bootCommands: readonly string[];
  /** Written in this order, before any of `commands` runs. */
  files: readonly BootFile[];
  /** Run in this order by a shell, once. They include the command that makes the machine a node. */
  commands: readonly string[];
  /** With resolved passwords. */
  users: readonly BootstrapUser[];
  ntp?: KubeadmConfigSpec['ntp'];
  diskSetup?: DiskSetup;
  mounts?: KubeadmConfigSpec['mounts'];
  /** Additional modules of cloud-init; only for that format. */
  additional?: Readonly<Record<string, unknown>>;
}

/** The existence of this file means that the machine has become a node. Image builders and monitoring check for it. */
export const SENTINEL_PATH = '/run/cluster-api/bootstrap-success.complete';
