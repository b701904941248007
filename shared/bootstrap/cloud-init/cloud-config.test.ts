import nunjucks from 'nunjucks';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { KubeadmConfigSpec } from '../kubeadm/spec.ts';
import { type CloudConfigInput, cloudConfig } from './cloud-config.ts';
import { kubeadmScript } from './kubeadm-script.ts';

const input = (spec: KubeadmConfigSpec, more: Partial<CloudConfigInput> = {}): CloudConfigInput => ({
  phase: 'init',
  spec,
  kubeadmConfig: { path: '/run/kubeadm/kubeadm.yaml', content: '---\nkind: ClusterConfiguration\n' },
  certificates: [],
  files: [],
  users: [],
  ...more,
});

/** As cloud-init does it: jinja over the whole document, then YAML 1.1. */
const read = (document: string, variables: object = {}) => {
  const environment = new nunjucks.Environment(null, { autoescape: false, trimBlocks: true });
  return parse(environment.renderString(document, variables), { version: '1.1' });
};
const fileOf = (document: string, path: string, variables: object = {}) =>
  read(document, variables).write_files.find((file: { path: string }) => file.path === path);

describe('cloudConfig', () => {
  it('begins with the two lines that cloud-init goes by', () => {
    expect(cloudConfig(input({})).split('\n').slice(0, 2)).toEqual(['## template: jinja', '#cloud-config']);
  });

  it('writes certificates, the user files, the kubeadm file and the placeholder in this order', () => {
    const document = cloudConfig(
      input(
        {},
        {
          certificates: [{ path: '/pki/ca.crt', owner: 'root:root', permissions: '0640', content: 'PEM\n' }],
          files: [
            { path: '/etc/a', content: 'no newline at the end', append: true },
            { path: '/etc/b', content: 'aGk=', encoding: 'base64', owner: 'me:me', permissions: '0755' },
          ],
        },
      ),
    );

    const { write_files: files } = read(document);
    expect(files.map((file: { path: string }) => file.path)).toEqual([
      '/pki/ca.crt',
      '/etc/a',
      '/etc/b',
      '/run/kubeadm/kubeadm.yaml',
      '/run/cluster-api/placeholder',
      '/run/cluster-api/kubeadm-until-done.sh',
    ]);
    expect(files[0]).toEqual({ path: '/pki/ca.crt', owner: 'root:root', permissions: '0640', content: 'PEM\n' });
    expect(files[1]).toEqual({ path: '/etc/a', append: true, content: 'no newline at the end\n' });
    expect(files[2]).toEqual({
      path: '/etc/b',
      encoding: 'base64',
      owner: 'me:me',
      permissions: '0755',
      content: 'aGk=',
    });
    expect(files[3]).toMatchObject({ owner: 'root:root', permissions: '0640' });
  });

  it('runs the commands around kubeadm and reports success only after it', () => {
    const spec = { preKubeadmCommands: ['echo "before"'], postKubeadmCommands: ['echo: after # no'], verbosity: 5 };

    expect(read(cloudConfig(input(spec))).runcmd).toEqual([
      'echo "before"',
      'bash /run/cluster-api/kubeadm-until-done.sh kubeadm init --config /run/kubeadm/kubeadm.yaml --v 5' +
        ' && echo success > /run/cluster-api/bootstrap-success.complete',
      'echo: after # no',
    ]);
  });

  it('carries every other section of the spec', () => {
    const spec: KubeadmConfigSpec = {
      bootCommands: ['modprobe x'],
      ntp: { enabled: true, servers: ['time.example.com'] },
      mounts: [['LABEL=etcd', '/var/lib/etcddisk', 'ext4', 'noatime', '0', '2']],
      diskSetup: {
        partitions: [
          { device: '/dev/nvme1n1', layout: true, overwrite: false, tableType: 'gpt' },
          { device: '/dev/nvme2n1', diskLayout: [{ percentage: 60 }, { percentage: 40, partitionType: 'NTFS' }] },
        ],
        filesystems: [
          {
            device: '/dev/nvme1n1',
            filesystem: 'ext4',
            label: 'etcd',
            partition: 'auto',
            overwrite: false,
            replaceFS: 'ntfs',
            extraOpts: ['-E', 'lazy_itable_init=1'],
          },
        ],
      },
    };
    const users = [
      {
        name: 'admin',
        gecos: 'A B',
        groups: 'sudo, docker',
        homeDir: '/home/a',
        inactive: true,
        shell: '/bin/bash',
        passwd: '$6$x',
        primaryGroup: 'admin',
        lockPassword: false,
        sudo: 'ALL=(ALL) NOPASSWD:ALL',
        sshAuthorizedKeys: ['ssh-ed25519 AAAA a@b'],
      },
    ];

    const { write_files: _files, runcmd: _commands, ...rest } = read(cloudConfig(input(spec, { users })));

    expect(rest).toEqual({
      bootcmd: ['modprobe x'],
      ntp: { enabled: true, servers: ['time.example.com'] },
      users: [
        {
          name: 'admin',
          passwd: '$6$x',
          gecos: 'A B',
          groups: 'sudo, docker',
          homedir: '/home/a',
          inactive: '0',
          lock_passwd: false,
          shell: '/bin/bash',
          primary_group: 'admin',
          sudo: 'ALL=(ALL) NOPASSWD:ALL',
          ssh_authorized_keys: ['ssh-ed25519 AAAA a@b'],
        },
      ],
      disk_setup: {
        '/dev/nvme1n1': { table_type: 'gpt', layout: true, overwrite: false },
        '/dev/nvme2n1': { layout: [60, [40, '07']] },
      },
      fs_setup: [
        {
          label: 'etcd',
          filesystem: 'ext4',
          device: '/dev/nvme1n1',
          partition: 'auto',
          overwrite: false,
          replace_fs: 'ntfs',
          extra_opts: ['-E', 'lazy_itable_init=1'],
        },
      ],
      mounts: spec.mounts,
    });
  });

  it('renders expressions in commands, files and the kubeadm file, whatever quotes they use', () => {
    const variables = { ds: { meta_data: { local_hostname: 'ip-10-0-0-1' } }, v1: { name: 'a: b # c' } };
    const document = cloudConfig(
      input(
        {
          preKubeadmCommands: [
            'hostname {{ ds.meta_data.local_hostname }}',
            `hostname {{ ds['meta_data']["local_hostname"] }}`.replaceAll('"', "'"),
            'hostname {{ ds["meta_data"].local_hostname }}',
            'echo {{ v1.name }}',
          ],
        },
        {
          files: [{ path: '/etc/host', content: 'host={% if ds %}{{ ds["meta_data"].local_hostname }}{% endif %}.\n' }],
          kubeadmConfig: { path: '/k', content: "name: '{{ ds.meta_data.local_hostname }}'\n" },
        },
      ),
    );

    const commands: string[] = read(document, variables).runcmd;
    expect(commands.slice(0, 4)).toEqual([
      'hostname ip-10-0-0-1',
      'hostname ip-10-0-0-1',
      'hostname ip-10-0-0-1',
      'echo a: b # c',
    ]);
    expect(fileOf(document, '/etc/host', variables).content).toBe('host=ip-10-0-0-1.\n');
    expect(parse(fileOf(document, '/k', variables).content)).toEqual({ name: 'ip-10-0-0-1' });
  });

  it.each([
    ['a long line', `x ${'word '.repeat(60)}end\n`],
    ['indentation', '    deep\n  less\n\n\nend\n\n'],
    ['trailing spaces', 'a  \n \n'],
    ['tabs and carriage returns', '\ta\r\n\tb\n'],
    ['what YAML 1.1 would read as something else', 'yes\n'],
    ['control characters and umlauts', 'ä\u0000\u0085\ufeffb\n'],
    ['YAML', '---\nkey: "value" # comment\n...\n'],
  ])('keeps the content of a file: %s', (_reason, content) => {
    const document = cloudConfig(input({}, { files: [{ path: '/f', content }] }));

    expect(fileOf(document, '/f').content).toBe(content);
  });

  it('keeps words that YAML 1.1 would change', () => {
    const words = ['yes', 'off', '0640', '1:30', 'null', '~', '1e3', '#x', '*y', '&z', "it's", 'say "hi"', `'"`];

    expect(read(cloudConfig(input({ preKubeadmCommands: words }))).runcmd.slice(0, -1)).toEqual(words);
  });
});

describe('kubeadmScript', () => {
  it('has nothing that jinja would take for its own', () => {
    const script = kubeadmScript({ certificatesDir: '/srv/pki', criSocket: 'unix:///run/x.sock' });

    expect(script).not.toMatch(/\{[{%#]/);
    expect(fileOf(cloudConfig(input({})), '/run/cluster-api/kubeadm-until-done.sh').content).toBe(kubeadmScript({}));
  });

  it('quotes what the user chose', () => {
    const script = kubeadmScript({ certificatesDir: "/srv/it's", criSocket: 'unix:///run/x.sock; reboot' });

    expect(script).toContain(`in '/etc/kubernetes' '/srv/it'\\''s'; do`);
    expect(script).toContain(`--cri-socket 'unix:///run/x.sock; reboot'`);
  });
});
