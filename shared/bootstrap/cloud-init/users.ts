import { compact, type Fields } from '../kubeadm/document.ts';
import type { BootstrapUser } from '../kubeadm/spec.ts';
import { text } from './text.ts';

const optional = (value: string | undefined) => (value === undefined ? undefined : text(value));

/** One entry of `users`; `passwdFrom` was resolved to `passwd` before. */
export const user = (options: BootstrapUser): Fields =>
  compact({
    name: text(options.name),
    passwd: optional(options.passwd),
    gecos: optional(options.gecos),
    groups: optional(options.groups),
    homedir: optional(options.homeDir),
    // Days from the end of the password to that of the account. cloud-init takes no boolean, though upstream writes one.
    inactive: options.inactive ? '0' : undefined,
    lock_passwd: options.lockPassword,
    shell: optional(options.shell),
    primary_group: optional(options.primaryGroup),
    sudo: optional(options.sudo),
    ssh_authorized_keys: options.sshAuthorizedKeys?.map(text),
  });
