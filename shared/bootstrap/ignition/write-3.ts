import { BootstrapInvalidError } from '../invalid.ts';
import { compact, type Fields } from '../kubeadm/document.ts';
import type { FileNode, Filesystem, IgnitionConfig, IgnitionVersion, NetworkUnit } from './config.ts';
import { dataResource } from './contents.ts';

const list = <Item>(items: readonly Item[]): readonly Item[] | undefined => (items.length === 0 ? undefined : items);

/** The folder from which systemd-networkd reads its files. Ignition 3 has no section for them. */
const NETWORK_FOLDER = '/etc/systemd/network';

const networkFiles = ({ name, contents, dropins = [] }: NetworkUnit): FileNode[] => {
  const path = `${NETWORK_FOLDER}/${name}`;
  const file = (at: string, content: string): FileNode => ({ path: at, mode: 0o644, contents: dataResource(content) });
  return [
    ...(contents === undefined ? [] : [file(path, contents)]),
    ...dropins.map((dropin) => file(`${path}.d/${dropin.name}`, dropin.contents ?? '')),
  ];
};

/** Ignition 3 identifies filesystems by their devices, and files, folders and links by their absolute paths. */
const onRoot = <Node extends { filesystem?: string; path: string }>({ filesystem, ...node }: Node, kind: string) => {
  if (filesystem !== undefined && filesystem !== 'root') {
    throw new BootstrapInvalidError(
      'spec.ignition.containerLinuxConfig.additionalConfig',
      `storage.${kind}: ${node.path} lies on the filesystem "${filesystem}", but filesystems have no names in Ignition 3; use version 2.3`,
    );
  }
  return node;
};

/** Appended pieces are part of the only entry for their path. A file without appended pieces is replaced. */
const files = (nodes: readonly FileNode[]): Fields[] => {
  const byPath = new Map<string, FileNode[]>();
  for (const node of nodes) byPath.set(node.path, [...(byPath.get(node.path) ?? []), node]);
  return [...byPath.values()].map((entries) => {
    const whole = entries.find(({ append }) => !append);
    const { append: _, contents: __, ...node } = onRoot(whole ?? (entries[0] as FileNode), 'files');
    const pieces = entries.filter(({ append }) => append).map(({ contents }) => contents);
    return compact({
      ...node,
      overwrite: whole && (whole.overwrite ?? true),
      contents: whole?.contents,
      append: list(pieces),
    });
  });
};

const filesystems = (items: readonly Filesystem[]): Fields[] =>
  items.flatMap(({ mount, path }) => {
    // An existing filesystem needs no entry, because nothing can refer to it.
    if (!mount) return [];
    return [compact({ ...mount, path })];
  });

const ignition = ({ append, replace, timeouts, certificateAuthorities }: IgnitionConfig, version: string): Fields => ({
  version: `${version}.0`,
  config: { merge: list(append), replace },
  timeouts,
  security: { tls: { certificateAuthorities: list(certificateAuthorities) } },
});

/** The config in the format of one of the versions 3.x. The fields that are used are the same in all of them. */
export const toIgnition3 = (config: IgnitionConfig, version: Exclude<IgnitionVersion, '2.3'>): Fields =>
  compact({
    ignition: ignition(config, version),
    passwd: { users: list(config.users), groups: list(config.groups) },
    storage: {
      disks: list(config.disks),
      raid: list(config.raid),
      filesystems: list(filesystems(config.filesystems)),
      directories: list(config.directories.map((node) => onRoot(node, 'directories'))),
      files: list(files([...config.files, ...config.networkUnits.flatMap(networkFiles)])),
      links: list(config.links.map((node) => onRoot(node, 'links'))),
    },
    systemd: { units: list(config.units) },
  });
