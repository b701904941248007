import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';

/** Texts of everything around kubeadm on a machine: files, users, disks, commands. */

const keyOfSecret = (what: string) =>
  [
    `Secret that holds ${what}. Read when the bootstrap data of the machine is generated.`,
    {
      secret: [
        'The Secret and the key in it.',
        { name: 'Name of the Secret, in the same namespace.', key: 'Key in the data of the Secret.' },
      ],
    },
  ] satisfies FieldText;

const filesText = [
  'Files that are written before preKubeadmCommands and kubeadm run. At most 200, each with its own path.',
  {
    path: 'Absolute path on the machine. With Ignition not below /run or /tmp.',
    owner: 'Owner and group, such as root:root. Defaults to root.',
    permissions: 'Permissions in octal, such as 0640. Defaults to 0644.',
    encoding:
      'How content is encoded: base64, gzip or gzip+base64; the machine decodes it. Plain text by default, and Ignition takes base64 only.',
    append: 'Appends the content to an existing file instead of replacing the file. Defaults to false.',
    content:
      'Content of the file, at most 10240 characters. Cannot be combined with contentFrom; with cloud-init, jinja templates in it are rendered on the machine.',
    contentFrom: keyOfSecret('the content'),
    contentFormat:
      'Raw keeps the content as it is; Template renders it as a Go template with the variable .controlPlane.version. Defaults to Raw; only a part of the template language is supported.',
  },
] satisfies FieldText;

const diskSetupText = [
  'Partitions and filesystems to create at the first boot.',
  {
    partitions: [
      'Partition tables, one entry per disk. Each entry sets either layout or diskLayout.',
      {
        device: 'Path of the disk, such as /dev/nvme1n1.',
        layout: 'Creates one partition that covers the disk if true, and no partition if false.',
        overwrite: 'Replaces an existing partition table, which destroys the data on the disk. Defaults to false.',
        tableType: 'Type of the partition table: mbr or gpt. Defaults to mbr; Ignition makes gpt only.',
        diskLayout: [
          'Partitions in order, sized in percent of the disk. The percentages add up to 100 at most; not supported with Ignition.',
          {
            percentage: 'Share of the disk, from 1 to 100.',
            partitionType:
              'Linux, LinuxSwap, LinuxRAID, LVM, Fat32, NTFS, LinuxExtended or a GPT type GUID. Defaults to Linux.',
          },
        ],
      },
    ],
    filesystems: [
      'Filesystems to create.',
      {
        device: 'Path of the disk or, with Ignition, of the partition.',
        filesystem: 'Type of the filesystem, such as ext4 or xfs. Ignition makes ext4, btrfs, xfs, vfat and swap.',
        label: 'Label of the filesystem, by which mounts can refer to it.',
        partition: 'Partition of the device: a number, auto, any or none. Not supported with Ignition.',
        overwrite: 'Replaces an existing filesystem, which destroys its data. Defaults to false.',
        replaceFS: 'Type of an existing filesystem that may be replaced, such as ntfs. Not supported with Ignition.',
        extraOpts: 'Further arguments for the mkfs command.',
      },
    ],
  },
] satisfies FieldText;

const usersText = [
  'Users to create on the machine.',
  {
    name: 'Login name.',
    gecos: 'Full name or other comment.',
    groups: 'Further groups of the user, separated by commas.',
    homeDir: 'Home directory. Defaults to /home and the name.',
    inactive: 'Disables the account as soon as its password has expired. Defaults to false; refused with Ignition.',
    shell: 'Login shell. Defaults to that of the image.',
    passwd: 'Hash of the password, as in /etc/shadow. Cannot be combined with passwdFrom.',
    passwdFrom: keyOfSecret('the hash of the password'),
    primaryGroup: 'Primary group. Defaults to a group with the name of the user.',
    lockPassword:
      'Disables login by password. Defaults to true with cloud-init; with Ignition false also allows passwords over SSH.',
    sudo: 'Rule for sudo, such as ALL=(ALL) NOPASSWD:ALL. No rights by default.',
    sshAuthorizedKeys: 'SSH public keys that may log in, one per entry. At most 100 entries.',
  },
] satisfies FieldText;

const ntpText = [
  'Time synchronization. With Ignition it configures systemd-timesyncd.',
  {
    servers: 'Host names or addresses of NTP servers. Defaults to those of the image.',
    enabled: 'Turns synchronization on or off. Defaults to true.',
  },
] satisfies FieldText;

export const machineConfigFields = {
  files: filesText,
  diskSetup: diskSetupText,
  mounts:
    'Filesystems to mount, each a list of the fields of an fstab line: device, mount point, type, options, dump, pass. The device may be LABEL=, UUID= or a path.',
  bootCommands:
    'Commands that cloud-init runs early at every boot, before the files are written. Refused with Ignition.',
  preKubeadmCommands: 'Shell commands that run before kubeadm, at the first boot.',
  postKubeadmCommands:
    'Shell commands that run after kubeadm, at the first boot. With Ignition only once kubeadm has succeeded.',
  users: usersText,
  ntp: ntpText,
  format: 'What the machine reads at its first boot: cloud-config or ignition. Defaults to cloud-config.',
  verbosity: 'Log level of kubeadm, which is its flag --v. By default the flag is not passed.',
  ignition: [
    'Settings for machines that boot with Ignition. Allowed only if format is ignition.',
    {
      containerLinuxConfig: [
        'Container Linux Config, the YAML form of an Ignition config.',
        {
          additionalConfig: 'Config that is merged with the generated one, at most 32768 characters.',
          strict: 'Treats warnings about additionalConfig as errors. Defaults to false.',
        },
      ],
    },
  ],
} satisfies FieldTexts;
