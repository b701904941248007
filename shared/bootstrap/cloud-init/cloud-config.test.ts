import nunjucks from 'nunjucks';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { MachineSetup } from '../machine-setup.ts';
import { cloudConfig } from './cloud-config.ts';

const setup = (parts: Partial<MachineSetup>): MachineSetup => ({
  bootCommands: [],
  files: [],
  commands: [],
  users: [],
  ...parts,
});

/** Reads a document as cloud-init does: renders it with Jinja, then parses YAML 1.1. */
const read = (document: string, variables: object = {}) => {
  const environment = new nunjucks.Environment(null, { autoescape: false, trimBlocks: true });
  return parse(environment.renderString(document, variables), { version: '1.1' });
};
const fileOf = (document: string, path: string, variables: object = {}) =>
  read(document, variables).write_files.find((file: { path: string }) => file.path === path);

describe('cloudConfig', () => {
  it('begins with the header lines for jinja and cloud-config', () => {
    expect(cloudConfig(setup({})).split('\n').slice(0, 2)).toEqual(['## template: jinja', '#cloud-config']);
  });

  it('writes the files in order, and ends text with a newline', () => {
    const document = cloudConfig(
      setup({
        files: [
          { path: '/pki/ca.crt', owner: 'root:root', permissions: '0640', content: 'PEM\n' },
          { path: '/etc/a', content: 'no newline at the end', append: true },
          { path: '/etc/b', content: 'aGk=', encoding: 'base64', owner: 'me:me', permissions: '0755' },
        ],
      }),
    );

    expect(read(document).write_files).toEqual([
      { path: '/pki/ca.crt', owner: 'root:root', permissions: '0640', content: 'PEM\n' },
      { path: '/etc/a', append: true, content: 'no newline at the end\n' },
      { path: '/etc/b', encoding: 'base64', owner: 'me:me', permissions: '0755', content: 'aGk=' },
    ]);
  });

  it.each(['a\u007fb', 'a\u0085b\nc', 'a\u2028b', 'a\u2029b\nc', '\ufeffa', 'a\ufffeb', 'a\u009fb'])(
    'escapes characters that readers of YAML refuse or change: %j',
    (content) => {
      const document = cloudConfig(setup({ files: [{ path: '/etc/a', content }], commands: [content] }));
      expect(document).toMatch(/^[\n\x20-\x7e]*$/);
      expect(fileOf(document, '/etc/a').content).toBe(`${content}\n`);
      expect(read(document).runcmd).toEqual([content]);
    },
  );

  it('quotes text of whitespace only, which would be read as the indentation of a block', () => {
    const document = cloudConfig(setup({ files: [{ path: '/etc/a', content: ' \n\t' }] }));
    expect(document).toContain('content: "\\ \\n\\t\\n"');
    expect(fileOf(document, '/etc/a').content).toBe(' \n\t\n');
  });

  it('contains every other section of the spec', () => {
    const parts: Partial<MachineSetup> = {
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

    const { write_files: _files, runcmd: _commands, ...rest } = read(cloudConfig(setup({ ...parts, users })));

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
      mounts: parts.mounts,
    });
  });

  it('renders expressions in commands, files and the kubeadm file, whatever quotes they use', () => {
    const variables = { ds: { meta_data: { local_hostname: 'ip-10-0-0-1' } }, v1: { name: 'a: b # c' } };
    const document = cloudConfig(
      setup({
        commands: [
          'hostname {{ ds.meta_data.local_hostname }}',
          `hostname {{ ds['meta_data']["local_hostname"] }}`.replaceAll('"', "'"),
          'hostname {{ ds["meta_data"].local_hostname }}',
          'echo {{ v1.name }}',
        ],
        files: [
          { path: '/etc/host', content: 'host={% if ds %}{{ ds["meta_data"].local_hostname }}{% endif %}.\n' },
          { path: '/k', content: "name: '{{ ds.meta_data.local_hostname }}'\n" },
        ],
      }),
    );

    const commands: string[] = read(document, variables).runcmd;
    expect(commands).toEqual(['hostname ip-10-0-0-1', 'hostname ip-10-0-0-1', 'hostname ip-10-0-0-1', 'echo a: b # c']);
    expect(fileOf(document, '/etc/host', variables).content).toBe('host=ip-10-0-0-1.\n');
    expect(parse(fileOf(document, '/k', variables).content)).toEqual({ name: 'ip-10-0-0-1' });
  });

  it.each([
    ['a long line', `x ${'word '.repeat(60)}end\n`],
    ['indentation', '    deep\n  less\n\n\nend\n\n'],
    ['trailing spaces', 'a  \n \n'],
    ['tabs and carriage returns', '\ta\r\n\tb\n'],
    ['text that YAML 1.1 would read as another type', 'yes\n'],
    ['control characters and umlauts', 'ä\u0000\u0085\ufeffb\n'],
    ['YAML', '---\nkey: "value" # comment\n...\n'],
  ])('keeps the content of a file: %s', (_reason, content) => {
    const document = cloudConfig(setup({ files: [{ path: '/f', content }] }));

    expect(fileOf(document, '/f').content).toBe(content);
  });

  it('preserves words that YAML 1.1 would convert', () => {
    const words = ['yes', 'off', '0640', '1:30', 'null', '~', '1e3', '#x', '*y', '&z', "it's", 'say "hi"', `'"`];

    expect(read(cloudConfig(setup({ commands: words }))).runcmd).toEqual(words);
  });
});
