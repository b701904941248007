import * as z from 'zod';
import { flag, int32, list, someOf, struct, text } from './fields.ts';
import { clusterConfiguration } from './kubeadm-cluster.ts';
import { initConfiguration, joinConfiguration } from './kubeadm-node.ts';

const secretKey = struct({ secret: struct({ name: text(1, 253), key: text(1, 256) }, {}) }, {});

const file = struct(
  { path: text(1, 512) },
  {
    owner: text(1, 256),
    permissions: text(1, 16),
    encoding: z.enum(['base64', 'gzip', 'gzip+base64']),
    append: flag,
    content: text(1, 10240),
    contentFrom: secretKey,
    contentFormat: z.enum(['Raw', 'Template']),
  },
);

const user = struct(
  { name: text(1, 256) },
  {
    gecos: text(1, 256),
    groups: text(1, 256),
    homeDir: text(1, 256),
    inactive: flag,
    shell: text(1, 256),
    passwd: text(1, 256),
    passwdFrom: secretKey,
    primaryGroup: text(1, 256),
    lockPassword: flag,
    sudo: text(1, 256),
    sshAuthorizedKeys: list(text(1, 2048), { max: 100 }),
  },
);

const partition = struct(
  { device: text(1, 256) },
  {
    layout: flag,
    overwrite: flag,
    tableType: z.enum(['mbr', 'gpt']),
    diskLayout: list(struct({ percentage: int32({ min: 1, max: 100 }) }, { partitionType: text(1, 36) }), {
      min: 1,
      max: 100,
    }),
  },
);

const filesystem = struct(
  { device: text(1, 256), filesystem: text(1, 128) },
  {
    label: text(1, 512),
    partition: text(1, 128),
    overwrite: flag,
    replaceFS: text(1, 128),
    extraOpts: list(text(1, 256), { max: 100 }),
  },
);

const commands = list(text(1, 10240), { min: 1, max: 1000 });

/** What a machine runs at its first boot: kubeadm and everything around it. */
export const kubeadmConfigSpec = someOf({
  clusterConfiguration,
  initConfiguration,
  joinConfiguration,
  files: list(file, { min: 1, max: 200 }),
  diskSetup: someOf({ partitions: list(partition, { max: 100 }), filesystems: list(filesystem, { max: 100 }) }),
  mounts: list(list(text(1, 512), { min: 1, max: 100 }), { min: 1, max: 100 }),
  bootCommands: commands,
  preKubeadmCommands: commands,
  postKubeadmCommands: commands,
  users: list(user, { min: 1, max: 100 }),
  ntp: someOf({ servers: list(text(1, 512), { max: 100 }), enabled: flag }),
  format: z.enum(['cloud-config', 'ignition']),
  verbosity: int32(),
  ignition: someOf({ containerLinuxConfig: someOf({ additionalConfig: text(1, 32768), strict: flag }) }),
});

export type KubeadmConfigSpec = z.input<typeof kubeadmConfigSpec>;
export type BootstrapFile = z.input<typeof file>;
export type BootstrapUser = z.input<typeof user>;
