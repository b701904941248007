import { stringify } from 'yaml';
import { compact } from '../kubeadm/document.ts';
import type { MachineSetup } from '../machine-setup.ts';
import { disks } from './disks.ts';
import { text } from './text.ts';
import { user } from './users.ts';
import { writeFile } from './write-files.ts';

/** cloud-init reads the first line to render everything below with jinja, `{{ ds.meta_data.local_hostname }}` and so on. */
const HEADER = '## template: jinja\n#cloud-config\n';

const nonEmpty = <Item>(list: readonly Item[] | undefined): readonly Item[] | undefined =>
  list === undefined || list.length === 0 ? undefined : list;

/**
 * The cloud-config document with the sections and the order of Cluster API's. cloud-init renders it with jinja as a
 * whole: expressions in the user's texts work, and what a user's file says in double braces is evaluated, unless the
 * file is given encoded.
 */
export const cloudConfig = (setup: MachineSetup): string => {
  const document = compact({
    write_files: setup.files.map(writeFile),
    bootcmd: nonEmpty(setup.bootCommands)?.map(text),
    runcmd: setup.commands.map(text),
    ntp: setup.ntp && { enabled: setup.ntp.enabled, servers: nonEmpty(setup.ntp.servers) },
    users: nonEmpty(setup.users)?.map(user),
    ...disks(setup.diskSetup),
    mounts: nonEmpty(setup.mounts)?.map((fields) => fields.map(text)),
    ...setup.additional,
  });
  return HEADER + stringify(document, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
};
