import type { FileNode, Unit } from '../config.ts';
import { dataResource } from '../contents.ts';
import type { Findings } from './read.ts';
import type { ContainerLinuxConfig } from './schema.ts';

const SETTINGS = [
  ['pcr_policy_server', 'PCR_POLICY_SERVER'],
  ['download_user', 'DOWNLOAD_USER'],
  ['download_password', 'DOWNLOAD_PASSWORD'],
  ['machine_alias', 'MACHINE_ALIAS'],
] as const;

const LOCKSMITH = [
  ['reboot_strategy', 'REBOOT_STRATEGY'],
  ['window_start', 'LOCKSMITHD_REBOOT_WINDOW_START'],
  ['window_length', 'LOCKSMITHD_REBOOT_WINDOW_LENGTH'],
  ['group', 'LOCKSMITHD_GROUP'],
  ['etcd_endpoints', 'LOCKSMITHD_ENDPOINT'],
  ['etcd_cafile', 'LOCKSMITHD_ETCD_CAFILE'],
  ['etcd_certfile', 'LOCKSMITHD_ETCD_CERTFILE'],
  ['etcd_keyfile', 'LOCKSMITHD_ETCD_KEYFILE'],
] as const;

const updateLines = (update: NonNullable<ContainerLinuxConfig['update']>): string[] => [
  ...(update.group ? [`GROUP=${update.group.toLowerCase()}`] : []),
  ...(update.server ? [`SERVER=${update.server}`] : []),
  ...SETTINGS.flatMap(([key, name]) => (update[key] ? [`${name}=${update[key]}`] : [])),
];

const check = ({ update, locksmith }: ContainerLinuxConfig, { problems, warnings }: Findings): void => {
  const isKnown = ['stable', 'beta', 'alpha'].includes(update?.group?.toLowerCase() ?? '');
  if (update && !isKnown && !update.server) warnings.push('update.group: must be stable, beta or alpha');
  if ((locksmith?.window_start === undefined) !== (locksmith?.window_length === undefined)) {
    problems.push('locksmith: window_start and window_length go together');
  }
};

/** The sections `update` and `locksmith`: how Flatcar updates itself, and when it reboots for an update. */
export const updateFiles = (config: ContainerLinuxConfig, findings: Findings): FileNode[] => {
  check(config, findings);
  const { update = {}, locksmith = {} } = config;
  const lines = [
    ...updateLines(update),
    ...LOCKSMITH.flatMap(([key, name]) => (locksmith[key] === undefined ? [] : [`${name}="${locksmith[key]}"`])),
  ];
  if (lines.length === 0) return [];
  return [{ path: '/etc/coreos/update.conf', mode: 0o644, contents: dataResource(`${lines.join('\n')}\n`) }];
};

/** The section `docker`. */
export const dockerUnits = ({ docker }: ContainerLinuxConfig): Unit[] => {
  if (!docker) return [];
  const contents = `[Service]\nEnvironment="DOCKER_OPTS=${(docker.flags ?? []).join(' ')}"\n`;
  return [{ name: 'docker.service', enabled: true, dropins: [{ name: '20-clct-docker.conf', contents }] }];
};
