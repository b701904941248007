import { compact, type Fields } from '../kubeadm/document.ts';
import type { IgnitionConfig } from './config.ts';

const list = <Item>(items: readonly Item[]): readonly Item[] | undefined => (items.length === 0 ? undefined : items);

/** Filesystems are known by their names here, and "root" is the name of the one that the machine runs from. */
const onFilesystem = <Item extends { filesystem?: string }>(node: Item): Fields =>
  compact({ filesystem: node.filesystem ?? 'root', ...node });

const ignition = ({ append, replace, timeouts, certificateAuthorities }: IgnitionConfig): Fields => ({
  version: '2.3.0',
  config: { append: list(append), replace },
  timeouts,
  security: { tls: { certificateAuthorities: list(certificateAuthorities) } },
});

/** The config as Ignition 2.3 reads it. */
export const toIgnition2 = (config: IgnitionConfig): Fields =>
  compact({
    ignition: ignition(config),
    networkd: { units: list(config.networkUnits) },
    passwd: { users: list(config.users), groups: list(config.groups) },
    storage: {
      disks: list(config.disks),
      raid: list(config.raid),
      filesystems: list(config.filesystems),
      directories: list(config.directories.map(onFilesystem)),
      files: list(config.files.map(onFilesystem)),
      links: list(config.links.map(onFilesystem)),
    },
    systemd: { units: list(config.units) },
  });
