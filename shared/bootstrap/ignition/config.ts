/**
 * The content of an Ignition config, with the names of Ignition 2.3 and without its deprecated fields. Both versions
 * are written from it (write-2.ts, write-3.ts); absent fields are undefined.
 */

export interface Resource {
  /** A URL with the scheme http, https, s3, data, or any other one that the machine's Ignition can fetch. */
  source: string;
  compression?: 'gzip';
  verification?: { hash: string };
}

export interface Owner {
  id?: number;
  name?: string;
}

interface Node {
  /** The name of one of `filesystems`; if absent, the root filesystem. */
  filesystem?: string;
  path: string;
  user?: Owner;
  group?: Owner;
  overwrite?: boolean;
}

export interface FileNode extends Node {
  mode?: number;
  contents: Resource;
  /** Appended to the file's content instead of replacing it. */
  append?: boolean;
}

export interface DirectoryNode extends Node {
  mode?: number;
}

export interface LinkNode extends Node {
  target: string;
  hard?: boolean;
}

export interface Partition {
  number?: number;
  label?: string;
  guid?: string;
  typeGuid?: string;
  sizeMiB?: number;
  startMiB?: number;
}

export interface Disk {
  device: string;
  wipeTable?: boolean;
  partitions?: Partition[];
}

export interface Raid {
  name: string;
  level: string;
  devices: string[];
  spares?: number;
  options?: string[];
}

export interface Filesystem {
  name?: string;
  /** The filesystem's path in the initramfs, such as `/sysroot`; then there is no `mount`. */
  path?: string;
  mount?: {
    device: string;
    format: string;
    wipeFilesystem?: boolean;
    label?: string;
    uuid?: string;
    options?: string[];
  };
}

export interface DropIn {
  name: string;
  contents?: string;
}

export interface Unit {
  name: string;
  enabled?: boolean;
  mask?: boolean;
  contents?: string;
  dropins?: DropIn[];
}

/** A file of systemd-networkd. */
export interface NetworkUnit {
  name: string;
  contents?: string;
  dropins?: DropIn[];
}

export interface User {
  name: string;
  uid?: number;
  gecos?: string;
  groups?: string[];
  homeDir?: string;
  noCreateHome?: boolean;
  noLogInit?: boolean;
  noUserGroup?: boolean;
  passwordHash?: string;
  primaryGroup?: string;
  shell?: string;
  sshAuthorizedKeys?: string[];
  system?: boolean;
}

export interface Group {
  name: string;
  gid?: number;
  passwordHash?: string;
  system?: boolean;
}

export interface IgnitionConfig {
  /** Additional configs, which the machine fetches. */
  append: Resource[];
  /** A config that replaces this one. */
  replace?: Resource;
  timeouts: { httpResponseHeaders?: number; httpTotal?: number };
  certificateAuthorities: Resource[];
  disks: Disk[];
  raid: Raid[];
  filesystems: Filesystem[];
  files: FileNode[];
  directories: DirectoryNode[];
  links: LinkNode[];
  units: Unit[];
  networkUnits: NetworkUnit[];
  users: User[];
  groups: Group[];
}

/** A config that changes nothing. */
export const emptyConfig = (): IgnitionConfig => ({
  append: [],
  timeouts: {},
  certificateAuthorities: [],
  disks: [],
  raid: [],
  filesystems: [],
  files: [],
  directories: [],
  links: [],
  units: [],
  networkUnits: [],
  users: [],
  groups: [],
});

/** The versions of `spec.ignition.version` of an AWSMachine. */
export const IGNITION_VERSIONS = ['2.3', '3.0', '3.1', '3.2', '3.3', '3.4'] as const;
export type IgnitionVersion = (typeof IGNITION_VERSIONS)[number];
/** The default for machines without a version. */
export const DEFAULT_IGNITION_VERSION: IgnitionVersion = '2.3';
