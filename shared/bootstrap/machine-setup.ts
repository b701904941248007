import type { BootstrapUser, DiskSetup, KubeadmConfigSpec } from './kubeadm/spec.ts';

/** A file of a machine's first boot. `content` is text, or encoded as `encoding` says. */
export interface BootFile {
  path: string;
  owner?: string;
  permissions?: string;
  encoding?: 'base64' | 'gzip' | 'gzip+base64';
  append?: boolean;
  content: string;
}

/**
 * All that a machine does at its first boot to become a node. A distribution (kubeadm, RKE2) says what is to be done, a
 * format (cloud-init, Ignition) says it to the machine; neither knows of the other.
 */
export interface MachineSetup {
  /** Run at every boot, before anything else. */
  bootCommands: readonly string[];
  /** Written in this order, before any of `commands` runs. */
  files: readonly BootFile[];
  /** Run in this order by a shell, once. The one that makes the node is among them. */
  commands: readonly string[];
  /** Passwords resolved. */
  users: readonly BootstrapUser[];
  ntp?: KubeadmConfigSpec['ntp'];
  diskSetup?: DiskSetup;
  mounts?: KubeadmConfigSpec['mounts'];
  /** Further modules of cloud-init, for that format alone. */
  additional?: Readonly<Record<string, unknown>>;
}

/** Whoever builds images or watches machines looks for this file: the machine has become a node. */
export const SENTINEL_PATH = '/run/cluster-api/bootstrap-success.complete';
