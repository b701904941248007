import type { KubeadmConfigSpec } from '../../../shared/bootstrap/kubeadm/spec.ts';

/** Configurations for Flatcar, each with one special feature, complete except for `format`. */

/**
 * From the AWS provider's template for Flatcar: the node's name comes from the instance metadata that the image reads.
 */
const metadata = `systemd:
  units:
  - name: kubeadm.service
    enabled: true
    dropins:
    - name: 10-flatcar.conf
      contents: |
        [Unit]
        Requires=coreos-metadata.service
        After=coreos-metadata.service
        After=containerd.service
        [Service]
        EnvironmentFile=/run/metadata/*
`;

const everySection = `ignition:
  config:
    append:
    - source: https://config.example.com/more.ign
      verification: { hash: { function: sha512, sum: ${'0'.repeat(128)} } }
  timeouts: { http_response_headers: 20, http_total: 600 }
  security:
    tls:
      certificate_authorities:
      - source: https://config.example.com/ca.pem
storage:
  disks:
  - device: /dev/nvme2n1
    wipe_table: true
    partitions:
    - { label: logs, number: 1, size: 4GiB, type_guid: linux_filesystem_data }
    - { label: rest, number: 2 }
  - device: /dev/nvme3n1
    partitions: [{ number: 1, type_guid: raid_partition }]
  raid:
  - { name: fast, level: raid0, devices: [/dev/nvme3n1p1, /dev/nvme4n1] }
  filesystems:
  - name: logs
    mount: { device: /dev/nvme2n1p1, format: ext4, wipe_filesystem: true, label: logs, options: [-m, 1] }
  files:
  - path: /etc/motd.d/welcome
    mode: 0644
    user: { id: 500 }
    group: { name: core }
    contents: { inline: "a node's greeting: 100 %\\n" }
  - path: /opt/bin/tool
    mode: 0755
    overwrite: true
    contents:
      remote:
        url: https://tools.example.com/tool
        verification: { hash: { function: sha512, sum: ${'a'.repeat(128)} } }
  - path: /etc/environment
    mode: 0644
    append: true
    contents: { inline: "A=b\\n" }
  directories:
  - { path: /opt/data, mode: 0750, user: { name: core } }
  links:
  - { path: /etc/localtime, target: ../usr/share/zoneinfo/Europe/Berlin, overwrite: true }
systemd:
  units:
  - { name: locksmithd.service, mask: true }
  - { name: docker.service, enable: true }
  - name: hello.service
    enabled: true
    contents: |
      [Service]
      ExecStart=/usr/bin/echo hello
      [Install]
      WantedBy=multi-user.target
networkd:
  units:
  - name: 00-eth0.network
    contents: |
      [Match]
      Name=eth0
      [Network]
      DHCP=yes
    dropins: [{ name: mtu.conf, contents: "[Link]\\nMTUBytes=9001\\n" }]
passwd:
  users:
  - name: core
    ssh_authorized_keys: [ssh-ed25519 AAAA someone]
  - { name: ops, uid: 1500, groups: [sudo], no_create_home: true, shell: /bin/bash }
  groups:
  - { name: ops, gid: 1500 }
update: { group: beta }
locksmith: { reboot_strategy: reboot, window_start: Sun 04:00, window_length: 2h }
docker: { flags: [--live-restore] }
`;

const node = { name: `\${COREOS_EC2_HOSTNAME}` };

export const IGNITION_SPECS: Readonly<Record<string, KubeadmConfigSpec>> = {
  nothing: {},
  'the name that the image knows': {
    initConfiguration: { nodeRegistration: node },
    joinConfiguration: { nodeRegistration: node },
    preKubeadmCommands: [
      'envsubst < /etc/kubeadm.yml > /etc/kubeadm.yml.tmp',
      'mv /etc/kubeadm.yml.tmp /etc/kubeadm.yml',
    ],
    ignition: { containerLinuxConfig: { additionalConfig: metadata, strict: true } },
  },
  'all that Ignition can do': {
    files: [
      { path: '/etc/plain', content: "what's in: 100 % (of it) ~ «ünicode»\n" },
      { path: '/etc/long', content: 'the same again and again\n'.repeat(100), permissions: '0400' },
      { path: '/etc/binary', content: 'AAECA/8=', encoding: 'base64', owner: 'core:core', permissions: '0600' },
      { path: '/etc/environment', content: 'C=d', append: true },
    ],
    users: [
      {
        name: 'admin',
        gecos: 'Some Body',
        groups: 'wheel, docker',
        homeDir: '/home/someone',
        shell: '/bin/bash',
        passwd: '$6$salt$hash',
        lockPassword: false,
        primaryGroup: 'users',
        sudo: 'ALL=(ALL) NOPASSWD:ALL',
        sshAuthorizedKeys: ['ssh-ed25519 AAAA someone'],
      },
    ],
    ntp: { enabled: true, servers: ['0.ntp.example.com', '1.ntp.example.com'] },
    diskSetup: {
      partitions: [{ device: '/dev/nvme1n1', layout: true, overwrite: false, tableType: 'gpt' }],
      filesystems: [
        { device: '/dev/nvme1n1p1', filesystem: 'ext4', label: 'etcd_disk', extraOpts: ['-E', 'lazy_itable_init=1'] },
      ],
    },
    mounts: [
      ['LABEL=etcd_disk', '/var/lib/etcd-disk'],
      ['/dev/nvme5n1', '/srv/a b', 'xfs', 'defaults,nofail', '0', '2'],
    ],
    preKubeadmCommands: ['echo before'],
    postKubeadmCommands: ['echo after'],
    verbosity: 5,
  },
  'every section of a Container Linux Config': {
    ignition: { containerLinuxConfig: { additionalConfig: everySection, strict: true } },
  },
};
