import { describe, expect, it } from 'vitest';
import { dataOf } from '../decode.ts';
import { transpileButane } from './transpile.ts';

const transpile = (text: string) => transpileButane(`variant: flatcar\nversion: 1.1.0\n${text}`, 'spec.x');

describe('a Butane config', () => {
  it('yields files with modes as Butane reads them, and pieces to append to other files', () => {
    const { files } = transpile(`storage:
  files:
    - path: /etc/a
      mode: 0640
      overwrite: true
      contents: {inline: "a\\n"}
    - path: /etc/b
      append: [{inline: one}, {source: "https://example.com/b", verification: {hash: sha512-00}}]
`);
    expect(files[0]).toMatchObject({ path: '/etc/a', mode: 0o640, overwrite: true });
    expect(files[0] && dataOf(files[0].contents)?.toString()).toBe('a\n');
    expect(files[2]).toEqual({
      path: '/etc/b',
      append: true,
      contents: { source: 'https://example.com/b', verification: { hash: 'sha512-00' } },
    });
  });

  it('yields users, groups, folders, links and units', () => {
    const config = transpile(`passwd:
  users: [{name: core, ssh_authorized_keys: [key], home_dir: /home/x, no_create_home: true}]
  groups: [{name: g, gid: 500}]
storage:
  directories: [{path: /opt/bin, mode: 0755}]
  links: [{path: /etc/localtime, target: /usr/share/zoneinfo/UTC}]
systemd:
  units: [{name: rke2-install.service, dropins: [{name: 10-x.conf, contents: "[Unit]\\n"}]}]
`);
    expect(config.users[0]).toMatchObject({
      name: 'core',
      sshAuthorizedKeys: ['key'],
      homeDir: '/home/x',
      noCreateHome: true,
    });
    expect(config.groups[0]).toMatchObject({ name: 'g', gid: 500 });
    expect(config.directories).toEqual([{ path: '/opt/bin', mode: 0o755 }]);
    expect(config.links).toEqual([{ path: '/etc/localtime', target: '/usr/share/zoneinfo/UTC' }]);
    expect(config.units[0]?.dropins).toEqual([{ name: '10-x.conf', contents: '[Unit]\n' }]);
  });

  it.each([
    ['storage: {trees: []}', 'storage.trees: not supported'],
    ['storage: {luks: []}', 'storage.luks: not supported'],
    ['boot_device: {}', 'boot_device: not supported'],
    ['storage: {files: [{path: /a, contents: {local: x}}]}', 'local: not supported'],
    ['storage: {files: [{path: /a, contents: {inline: a, source: "data:,b"}}]}', 'must have inline or source'],
    ['storage: {files: [{path: a, contents: {inline: a}}]}', 'path: must be absolute'],
    ['systemd: {units: [{name: x}]}', 'systemd.units[0]'],
    ['passwd: {users: [{name: 1}]}', 'passwd.users[0].name'],
    ['storage: [', 'is not YAML'],
  ])('is refused with the path of the error, and without its content: %s', (text, why) => {
    expect(() => transpile(text)).toThrow(why);
  });

  it.each(['variant: r4e\nversion: 1.0.0', 'variant: flatcar', 'variant: flatcar\nversion: 9.0.0', 'users: []', ''])(
    'is refused if its variant or version is not supported: %j',
    (text) => {
      expect(() => transpileButane(text, 'spec.x')).toThrow('spec.x');
    },
  );
});
