import { stringify } from 'yaml';
import { compact, type Fields } from '../kubeadm/document.ts';
import type { BootstrapUser } from '../kubeadm/spec.ts';
import type { BootFile, MachineSetup } from '../machine-setup.ts';
import { textFileContent } from '../text-file.ts';
import { disks } from './disks.ts';
import { text, withEscapes } from './text.ts';

/** One entry of `write_files`. */
const writeFile = (file: BootFile): Fields =>
  compact({
    path: text(file.path),
    encoding: file.encoding,
    owner: file.owner === undefined ? undefined : text(file.owner),
    permissions: file.permissions === undefined ? undefined : text(file.permissions),
    append: file.append,
    content: text(file.encoding === undefined ? textFileContent(file.content) : file.content),
  });

const optional = (value: string | undefined) => (value === undefined ? undefined : text(value));

/** One entry of `users`; `passwdFrom` was resolved to `passwd` before. */
const user = (options: BootstrapUser): Fields =>
  compact({
    name: text(options.name),
    passwd: optional(options.passwd),
    gecos: optional(options.gecos),
    groups: optional(options.groups),
    homedir: optional(options.homeDir),
    // The days between the expiry of the password and that of the account. cloud-init accepts no boolean here, although
    // upstream writes one.
    inactive: options.inactive ? '0' : undefined,
    lock_passwd: options.lockPassword,
    shell: optional(options.shell),
    primary_group: optional(options.primaryGroup),
    sudo: optional(options.sudo),
    ssh_authorized_keys: options.sshAuthorizedKeys?.map(text),
  });

/** With this first line, cloud-init renders the document with jinja, such as `{{ ds.meta_data.local_hostname }}`. */
const HEADER = '## template: jinja\n#cloud-config\n';

const nonEmpty = <Item>(list: readonly Item[] | undefined): readonly Item[] | undefined =>
  list === undefined || list.length === 0 ? undefined : list;

/**
 * The cloud-config document, with the sections of Cluster API's and in the same order. cloud-init renders the complete
 * document with jinja: expressions in the user's texts work, and text in double braces in a user's file is evaluated,
 * unless the file is given in encoded form.
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
  return HEADER + withEscapes(stringify(document, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false }));
};
