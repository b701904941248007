import { describe, expect, it } from 'vitest';
import type { KubeadmConfigSpec } from '../kubeadm/spec.ts';
import type { MachineSetup } from '../machine-setup.ts';
import type { IgnitionVersion, Resource } from './config.ts';
import { dataOf } from './decode.ts';
import { mountUnitName } from './mounts.ts';
import { ignitionConfig } from './render.ts';

const service = { name: 'join', description: 'Joins', while: '/etc/join.yml' };
const setup: MachineSetup = { bootCommands: [], files: [], commands: ['echo one', 'echo two'], users: [] };

interface Rendered {
  ignition: { version: string };
  passwd?: { users: unknown[] };
  storage: {
    files: { path: string; contents: Resource; append?: Resource[]; [field: string]: unknown }[];
    [kind: string]: unknown[];
  };
  systemd: { units: { name: string; contents?: string; [field: string]: unknown }[] };
}

const render = (parts: Partial<MachineSetup> = {}, version?: IgnitionVersion, additionalConfig?: string) => {
  const additions: KubeadmConfigSpec['ignition'] = additionalConfig
    ? { containerLinuxConfig: { additionalConfig } }
    : undefined;
  const { body } = ignitionConfig({ ...setup, ...parts }, { service, version, additions });
  const config = JSON.parse(body) as Rendered;
  const file = (path: string) => config.storage.files.find((entry) => entry.path === path);
  return {
    ...config,
    file,
    text: (path: string) => dataOf(file(path)?.contents ?? { source: '' })?.toString(),
    unit: (name: string) => config.systemd.units.find((unit) => unit.name === name),
  };
};

describe('ignitionConfig', () => {
  it('runs the commands in a unit that requires its file to exist', () => {
    const { ignition, file, text, unit } = render();

    expect(ignition.version).toBe('2.3.0');
    expect(file('/etc/join.sh')).toMatchObject({ filesystem: 'root', mode: 0o700 });
    expect(text('/etc/join.sh')).toBe('#!/bin/bash\nset -e\necho one\necho two\n');
    expect(unit('join.service')).toMatchObject({ enabled: true });
    expect(unit('join.service')?.contents).toMatch(/^ConditionPathExists=\/etc\/join\.yml$/m);
    expect(unit('join.service')?.contents).toMatch(/^ExecStart=\/bin\/bash \/etc\/join\.sh$/m);
  });

  it('writes files unchanged, whatever their content', () => {
    const odd = "it's 100 % (odd) ~ «ünicode» \t\n";
    const long = 'again and again\n'.repeat(100);
    const files = [
      { path: '/odd', content: odd, permissions: '0400', owner: 'core:users' },
      { path: '/long', content: long, owner: 'root:root' },
      { path: '/binary', content: 'AAEC/w==', encoding: 'base64' as const },
    ];
    const { file, text } = render({ files }, '3.3');

    expect(text('/odd')).toBe(odd);
    expect(file('/odd')).toMatchObject({ mode: 0o400, user: { name: 'core' }, group: { name: 'users' } });
    expect(text('/long')).toBe(long);
    expect(file('/long')?.contents.compression).toBe('gzip');
    expect(file('/long')).not.toHaveProperty('user');
    expect(dataOf(file('/binary')?.contents as Resource)).toEqual(Buffer.from([0, 1, 2, 255]));
  });

  it('appends to files if requested, and replaces files of the image in Ignition 3', () => {
    const files = [
      { path: '/etc/environment', content: 'A=b', append: true },
      { path: '/etc/environment', content: 'C=d', append: true },
    ];

    expect(render({ files }).storage.files.slice(0, 2)).toMatchObject([{ append: true }, { append: true }]);
    const { file } = render({ files }, '3.0');
    expect(file('/etc/environment')).not.toHaveProperty('overwrite');
    expect(file('/etc/environment')?.append?.map((piece) => dataOf(piece)?.toString())).toEqual(['A=b\n', 'C=d\n']);
    expect(file('/etc/join.sh')).toMatchObject({ overwrite: true });
    expect(file('/etc/join.sh')).not.toHaveProperty('filesystem');
  });

  it('creates users with their rights', () => {
    const users = [
      { name: 'a.b', groups: 'wheel, docker', sudo: 'ALL=(ALL) ALL', lockPassword: false, passwd: '$6$' },
      { name: 'c', lockPassword: true, sshAuthorizedKeys: ['ssh-ed25519 AAAA'] },
    ];
    const { passwd, text } = render({ users });

    expect(passwd?.users).toEqual([
      { name: 'a.b', groups: ['wheel', 'docker'], passwordHash: '$6$' },
      { name: 'c', sshAuthorizedKeys: ['ssh-ed25519 AAAA'] },
    ]);
    expect(text('/etc/sudoers.d/a-b')).toBe('a.b ALL=(ALL) ALL\n');
    expect(text('/etc/ssh/sshd_config')).toMatch(/^Match User a\.b$/m);
  });

  it('creates disks, and mounts them by label', () => {
    const diskSetup = {
      partitions: [{ device: '/dev/sdb', layout: true, overwrite: true }],
      filesystems: [{ device: '/dev/sdb1', filesystem: 'ext4', label: 'etcd', extraOpts: ['-m', '1'] }],
    };
    const mounts = [
      ['LABEL=etcd', '/var/lib/etcd-disk', 'ext4', 'defaults,nofail', '0', '2'],
      ['etcd', '/srv', 'noatime'],
      ['UUID=1', '/mnt/one'],
    ];
    const { storage, unit } = render({ diskSetup, mounts }, '3.4');

    expect(storage.disks).toEqual([{ device: '/dev/sdb', wipeTable: true, partitions: [{ number: 1 }] }]);
    expect(storage.filesystems).toEqual([{ device: '/dev/sdb1', format: 'ext4', label: 'etcd', options: ['-m', '1'] }]);
    const [byLabel, byName, byUuid] = [
      unit('var-lib-etcd\\x2ddisk.mount'),
      unit('srv.mount'),
      unit('mnt-one.mount'),
    ].map((found) => found?.contents);
    expect(byLabel).toContain('What=/dev/sdb1\nWhere=/var/lib/etcd-disk\nType=ext4\nOptions=defaults,nofail\n');
    expect(byName).toContain('What=/dev/sdb1\nWhere=/srv\nOptions=noatime\n');
    expect(byUuid).toContain('What=/dev/disk/by-uuid/1\nWhere=/mnt/one\n\n');
  });

  it.each([
    ['/', '-.mount'],
    ['/srv/a b/', 'srv-a\\x20b.mount'],
    ['//srv//.x', 'srv-.x.mount'],
    ['/.x', '\\x2ex.mount'],
  ])('names the unit of the mount point %s as systemd does', (path, name) => {
    expect(mountUnitName(path)).toBe(name);
  });

  it('uses the NTP servers of the spec', () => {
    const { text, unit } = render({ ntp: { servers: ['a.example.com', 'b.example.com'] } });

    expect(text('/etc/systemd/timesyncd.conf.d/10-servers.conf')).toBe('[Time]\nNTP=a.example.com b.example.com\n');
    expect(unit('systemd-timesyncd.service')).toMatchObject({ enabled: true });
  });

  it.each([
    [{ bootCommands: ['true'] }, /^spec\.bootCommands: /],
    [{ files: [{ path: '/a', content: '', encoding: 'gzip' as const }] }, /^spec\.files\[\]\.encoding: gzip of \/a /],
    [{ users: [{ name: 'a', inactive: true }] }, /^spec\.users\[0\]\.inactive: /],
    [{ mounts: [['nothing', '/srv']] }, /^spec\.mounts\[0\]\[0\]: "nothing" is neither/],
    [{ mounts: [['/dev/sdb', 'none', 'swap']] }, /^spec\.mounts\[0\]\[1\]: "none" is not an absolute path/],
    [
      { diskSetup: { partitions: [{ device: '/dev/sdb', diskLayout: [{ percentage: 50 }] }] } },
      /^spec\.diskSetup\.partitions\[0\]\.diskLayout: /,
    ],
    [
      { diskSetup: { filesystems: [{ device: '/dev/sdb', filesystem: 'zfs' }] } },
      /^spec\.diskSetup\.filesystems\[0\]\.filesystem: "zfs" is none of/,
    ],
  ])('names fields that Ignition does not support: %j', (parts, says) => {
    expect(() => render(parts)).toThrow(says);
  });

  it("gives the user's additions precedence, with a single entry for each unit and file", () => {
    const additions = `
systemd:
  units:
  - name: join.service
    dropins: [{ name: 10-more.conf, contents: "[Service]\\nNice=1\\n" }]
storage:
  files:
  - { path: /etc/join.sh, mode: 0755, contents: { inline: other } }
networkd:
  units: [{ name: a.network, contents: "[Match]\\n" }]
`;
    for (const version of ['2.3', '3.4'] as const) {
      const { unit, text, file, storage, systemd } = render({}, version, additions);
      expect(systemd.units).toHaveLength(1);
      expect(unit('join.service')).toMatchObject({ enabled: true, dropins: [{ name: '10-more.conf' }] });
      expect(storage.files.filter(({ path }) => path === '/etc/join.sh')).toHaveLength(1);
      expect(file('/etc/join.sh')).toMatchObject({ mode: 0o755 });
      expect(text('/etc/join.sh')).toBe('other');
    }
    expect(render({}, '3.4', additions).text('/etc/systemd/network/a.network')).toBe('[Match]\n');
    expect(render({}, '2.3', additions)).toMatchObject({ networkd: { units: [{ name: 'a.network' }] } });
  });
});
