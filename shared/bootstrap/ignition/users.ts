import { BootstrapInvalidError } from '../invalid.ts';
import type { BootstrapUser } from '../kubeadm/spec.ts';
import type { FileNode, User } from './config.ts';
import { textFile } from './files.ts';

const words = (list: string | undefined): string[] | undefined =>
  list
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** One entry of `passwd.users`; `passwdFrom` was resolved to `passwd` before. */
export const user = (options: BootstrapUser, index: number): User => {
  if (options.inactive) {
    throw new BootstrapInvalidError(
      `spec.users[${index}].inactive`,
      'Ignition cannot create inactive users; remove it',
    );
  }
  return {
    name: options.name,
    gecos: options.gecos,
    groups: words(options.groups),
    homeDir: options.homeDir,
    passwordHash: options.passwd,
    primaryGroup: options.primaryGroup,
    shell: options.shell,
    sshAuthorizedKeys: options.sshAuthorizedKeys,
  };
};

/** Replaces the image's file, which allows no logins with a password. Its other settings are Flatcar's. */
const sshdConfig = (names: readonly string[]): string => `Include /etc/ssh/sshd_config.d/*.conf
Subsystem sftp internal-sftp
ClientAliveInterval 180
UseDNS no
UsePAM yes
PrintLastLog no
PrintMotd no

Match User ${names.join(',')}
  PasswordAuthentication yes
`;

/** Settings for which Ignition has no fields: sudo rights, and passwords for SSH. */
export const userFiles = (users: readonly BootstrapUser[]): FileNode[] => {
  const withPassword = users.filter(({ lockPassword }) => lockPassword === false).map(({ name }) => name);
  return [
    ...users.flatMap(({ name, sudo }) =>
      // sudo ignores files with a dot in their name.
      sudo ? [textFile(`/etc/sudoers.d/${name.replaceAll('.', '-')}`, '0600', `${name} ${sudo}\n`)] : [],
    ),
    ...(withPassword.length > 0 ? [textFile('/etc/ssh/sshd_config', '0600', sshdConfig(withPassword))] : []),
  ];
};
