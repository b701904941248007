import { compact, type Fields } from '../kubeadm/document.ts';
import type { KubeadmConfigSpec } from '../kubeadm/spec.ts';
import type { MachineSetup } from '../machine-setup.ts';
import { DEFAULT_IGNITION_VERSION, type IgnitionConfig, type IgnitionVersion } from './config.ts';
import { transpile } from './container-linux/transpile.ts';
import { mergeConfigs } from './merge.ts';
import { type BootService, setupConfig } from './setup.ts';
import { toIgnition3 } from './write-3.ts';

const list = <Item>(items: readonly Item[]): readonly Item[] | undefined => (items.length === 0 ? undefined : items);

/** Here, filesystems are identified by their names, and the root filesystem is named "root". */
const onFilesystem = <Item extends { filesystem?: string }>(node: Item): Fields =>
  compact({ filesystem: node.filesystem ?? 'root', ...node });

const ignition = ({ append, replace, timeouts, certificateAuthorities }: IgnitionConfig): Fields => ({
  version: '2.3.0',
  config: { append: list(append), replace },
  timeouts,
  security: { tls: { certificateAuthorities: list(certificateAuthorities) } },
});

/** Ignition 2.3 treats an absent mode as 0000, and later versions treat it as this mode. */
const DEFAULT_MODE = 0o644;

/** The config in the format of Ignition 2.3. */
const toIgnition2 = (config: IgnitionConfig): Fields =>
  compact({
    ignition: ignition(config),
    networkd: { units: list(config.networkUnits) },
    passwd: { users: list(config.users), groups: list(config.groups) },
    storage: {
      disks: list(config.disks),
      raid: list(config.raid),
      filesystems: list(config.filesystems),
      directories: list(config.directories.map(onFilesystem)),
      files: list(config.files.map((file) => onFilesystem({ ...file, mode: file.mode ?? DEFAULT_MODE }))),
      links: list(config.links.map(onFilesystem)),
    },
    systemd: { units: list(config.units) },
  });

export interface IgnitionOptions {
  service: BootService;
  /** The version that the machine's image supports. A config of 3.x can only be merged with others of 3.x. */
  version?: IgnitionVersion;
  /** `spec.ignition` of the bootstrap config. */
  additions?: KubeadmConfigSpec['ignition'];
  /** The user's additions, if they are an Ignition config already. */
  config?: IgnitionConfig;
}

const write = (config: IgnitionConfig, version: IgnitionVersion): string =>
  `${JSON.stringify(version === '2.3' ? toIgnition2(config) : toIgnition3(config, version))}\n`;

/**
 * The Ignition config of a setup, as one JSON document. The user's additions override the generated parts. Throws
 * BootstrapInvalidError, which names the field that Ignition does not support.
 */
export const ignitionConfig = (
  setup: MachineSetup,
  { service, version = DEFAULT_IGNITION_VERSION, additions, config: given }: IgnitionOptions,
): { body: string; warnings: string[] } => {
  const made = setupConfig(setup, service);
  const own = given ? mergeConfigs(made, given) : made;
  const { additionalConfig, strict } = additions?.containerLinuxConfig ?? {};
  if (!additionalConfig) return { body: write(own, version), warnings: [] };
  const { config, warnings } = transpile(additionalConfig, strict);
  return { body: write(mergeConfigs(own, config), version), warnings };
};
