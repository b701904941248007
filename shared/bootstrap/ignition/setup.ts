import { BootstrapInvalidError } from '../invalid.ts';
import type { MachineSetup } from '../machine-setup.ts';
import { emptyConfig, type FileNode, type IgnitionConfig, type Unit } from './config.ts';
import { disks } from './disks.ts';
import { fileNode, textFile } from './files.ts';
import { mergeConfigs } from './merge.ts';
import { mountUnit } from './mounts.ts';
import { user, userFiles } from './users.ts';

/** The unit that runs the commands of a setup. */
export interface BootService {
  /** Without the suffix `.service`: `kubeadm` runs `/etc/kubeadm.sh`. */
  name: string;
  description: string;
  /** The unit runs at each boot as long as this file exists; one of the commands removes it. */
  while?: string;
  /** The unit runs at each boot until this file exists; one of the commands creates it. */
  until?: string;
}

const conditions = ({ while: present, until: absent }: BootService): string[] => [
  ...(present ? ['# The script moves this file away when it is done.', `ConditionPathExists=${present}`] : []),
  ...(absent ? ['# The script makes this file when it is done.', `ConditionPathExists=!${absent}`] : []),
];

const serviceUnit = (service: BootService): Unit => ({
  name: `${service.name}.service`,
  enabled: true,
  contents: `[Unit]
Description=${service.description}
${conditions(service).join('\n')}
Wants=network-online.target
After=network-online.target containerd.service

[Service]
Type=oneshot
ExecStart=/bin/bash /etc/${service.name}.sh

[Install]
WantedBy=multi-user.target
`,
});

/** The script ends at the first command that fails, and starts again at the next boot. */
const script = (commands: readonly string[]): string => ['#!/bin/bash', 'set -e', ...commands, ''].join('\n');

/** Flatcar synchronizes its clock with timesyncd. */
const ntp = ({ ntp: options }: MachineSetup): { files: FileNode[]; units: Unit[] } => {
  if (!options || options.enabled === false) return { files: [], units: [] };
  const servers = options.servers ?? [];
  const text = `[Time]\nNTP=${servers.join(' ')}\n`;
  return {
    files: servers.length > 0 ? [textFile('/etc/systemd/timesyncd.conf.d/10-servers.conf', '0644', text)] : [],
    units: [{ name: 'systemd-timesyncd.service', enabled: true }],
  };
};

/**
 * A setup as an Ignition config. Ignition does everything itself except the commands, which a systemd unit runs. Throws
 * BootstrapInvalidError, which names the field that Ignition does not support.
 */
export const setupConfig = (setup: MachineSetup, service: BootService): IgnitionConfig => {
  if (setup.bootCommands.length > 0) {
    throw new BootstrapInvalidError('spec.bootCommands', 'Ignition runs no commands at boot; use a systemd unit');
  }
  const time = ntp(setup);
  return mergeConfigs(emptyConfig(), {
    ...emptyConfig(),
    ...disks(setup.diskSetup),
    users: setup.users.map(user),
    files: [
      ...userFiles(setup.users),
      ...setup.files.map(fileNode),
      ...time.files,
      textFile(`/etc/${service.name}.sh`, '0700', script(setup.commands)),
    ],
    units: [
      serviceUnit(service),
      ...time.units,
      ...(setup.mounts ?? []).map((fields, index) => mountUnit(fields, setup.diskSetup, index)),
    ],
  });
};
