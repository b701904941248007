import { Buffer } from 'node:buffer';
import type { FileNode, IgnitionConfig, Resource } from '../config.ts';
import { dataResource } from '../contents.ts';
import type { Findings } from './read.ts';
import type { ContainerLinuxConfig } from './schema.ts';

type Storage = NonNullable<ContainerLinuxConfig['storage']>;
type Item<Key extends keyof Storage> = NonNullable<Storage[Key]>[number];
type File = Item<'files'>;

const TYPE_GUIDS: Readonly<Record<string, string>> = {
  raid_containing_root: 'be9067b9-ea49-4f15-b4f6-f36f8c9e1818',
  linux_filesystem_data: '0fc63daf-8483-4772-8e79-3d69d8477de4',
  swap_partition: '0657fd6d-a4ab-43c4-84e5-0933c84b4f4f',
  raid_partition: 'a19d880f-05fc-4d3b-a006-743f0f84911e',
};

interface Reference {
  source: string;
  verification?: { hash?: { function?: string; sum?: string } };
}

/** A URL with the hash that its content must have. */
export const resource = ({ source, verification }: Reference): Resource => {
  const { function: name, sum } = verification?.hash ?? {};
  return { source, verification: name && sum ? { hash: `${name}-${sum}` } : undefined };
};

const contents = ({ contents: given = {} }: File, field: string, { problems }: Findings): Resource => {
  const { inline, local, remote } = given;
  if ([inline, local, remote?.url].filter((source) => source !== undefined).length > 1) {
    problems.push(`${field}.contents: only one of local, inline and remote.url may be set`);
  }
  if (local !== undefined)
    problems.push(`${field}.contents.local: there is no directory to read files from; use inline`);
  if (remote?.url === undefined) return dataResource(typeof inline === 'string' ? inline : Buffer.from(inline ?? ''));
  const compression = remote.compression === 'gzip' ? ('gzip' as const) : undefined;
  return { ...resource({ source: remote.url, verification: remote.verification }), compression };
};

const file = (item: File, index: number, findings: Findings): FileNode => {
  const field = `storage.files[${index}]`;
  if (item.mode === undefined) findings.warnings.push(`${field}.mode: is not set; 0644 is used`);
  return { ...item, mode: item.mode ?? 0o644, contents: contents(item, field, findings) };
};

const directory = (item: Item<'directories'>, index: number, { warnings }: Findings) => {
  if (item.mode === undefined) warnings.push(`storage.directories[${index}].mode: is not set; 0755 is used`);
  return { ...item, mode: item.mode ?? 0o755 };
};

const disk = ({ device, wipe_table, partitions }: Item<'disks'>) => ({
  device,
  wipeTable: wipe_table,
  partitions: partitions?.map(({ label, number, size, start, guid, type_guid: type }) => ({
    label,
    number,
    guid,
    sizeMiB: size,
    startMiB: start,
    typeGuid: type && (TYPE_GUIDS[type] ?? type),
  })),
});

const filesystem = ({ name, path, mount }: Item<'filesystems'>, index: number, { problems }: Findings) => {
  const field = `storage.filesystems[${index}]`;
  if ((mount === undefined) === (path === undefined)) problems.push(`${field}: needs one of mount and path`);
  if (mount?.create) problems.push(`${field}.mount.create: is obsolete; use wipe_filesystem and options instead`);
  const { create: _, wipe_filesystem, ...rest } = mount ?? { device: '', format: '' };
  return { name, path, mount: mount && { ...rest, wipeFilesystem: wipe_filesystem } };
};

/** The section `storage`; its errors are added to the findings. */
export const storageConfig = (storage: Storage, findings: Findings): Partial<IgnitionConfig> => ({
  disks: (storage.disks ?? []).map(disk),
  raid: (storage.raid ?? []).map((array) => ({ ...array, devices: array.devices ?? [] })),
  filesystems: (storage.filesystems ?? []).map((item, index) => filesystem(item, index, findings)),
  files: (storage.files ?? []).map((item, index) => file(item, index, findings)),
  directories: (storage.directories ?? []).map((item, index) => directory(item, index, findings)),
  links: storage.links ?? [],
});
