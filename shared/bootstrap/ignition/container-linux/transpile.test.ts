import { describe, expect, it } from 'vitest';
import { dataOf } from '../decode.ts';
import { transpile } from './transpile.ts';

const AT = 'spec.ignition.containerLinuxConfig.additionalConfig: ';

describe('transpile', () => {
  it('reads scalars by the types of their fields', () => {
    const { config, warnings } = transpile(`
storage:
  files:
  - { path: /a, mode: 0640, contents: { inline: yes } }
  - { path: /b, mode: 0o600, contents: { inline: !!binary AAH/ } }
  - { path: /c, mode: 384, append: yes }
  disks:
  - { device: /dev/sdb, partitions: [{ number: 1, label: 2, size: 1.5GiB, type_guid: swap_partition }] }
`);

    expect(warnings).toEqual([]);
    expect(config.files.map(({ mode, contents }) => [mode, dataOf(contents)?.toString('latin1')])).toEqual([
      [0o640, 'yes'],
      [0o600, '\x00\x01\xff'],
      [0o600, ''],
    ]);
    expect(config.files[2]?.append).toBe(true);
    expect(config.disks[0]?.partitions).toEqual([
      expect.objectContaining({ label: '2', sizeMiB: 1536, typeGuid: '0657fd6d-a4ab-43c4-84e5-0933c84b4f4f' }),
    ]);
  });

  it('writes the update settings and the Docker flags of Flatcar', () => {
    const { config } = transpile(
      'update: { group: Beta }\nlocksmith: { reboot_strategy: off }\ndocker: { flags: [-D] }',
    );

    const [file] = config.files;
    expect(file?.path).toBe('/etc/coreos/update.conf');
    expect(dataOf(file?.contents ?? { source: '' })?.toString()).toBe('GROUP=beta\nREBOOT_STRATEGY="off"\n');
    expect(config.units[0]).toMatchObject({ name: 'docker.service', enabled: true });
  });

  it('skips unknown fields with warnings, and refuses them in strict mode', () => {
    const odd = 'storage:\n  files: [{ path: /a, colour: red }]\nnonsense: true\n';

    const { warnings } = transpile(odd);

    expect(warnings).toEqual([
      `${AT}storage.files[0].colour: is not known`,
      `${AT}nonsense: is not known`,
      `${AT}storage.files[0].mode: is not set; 0644 is used`,
    ]);
    expect(() => transpile(odd, true)).toThrow(
      `${AT}storage.files[0].colour: is not known; nonsense: is not known; storage.files[0].mode: is not set`,
    );
  });

  it.each([
    ['a: 1\nb: [', 'line 2: is not YAML'],
    ['[]', 'the config: '],
    ['storage: { files: [{ mode: 0644 }] }', 'storage.files[0].path: '],
    ['storage: { files: [{ path: a, mode: 0644 }] }', 'storage.files[0]: path: must be absolute'],
    ['storage: { files: [{ path: /a, mode: x }] }', 'storage.files[0].mode: must be a whole number'],
    ['storage: { files: [{ path: /a, mode: 0644, contents: { local: b } }] }', 'storage.files[0].contents.local: '],
    [
      'storage: { files: [{ path: /a, mode: 0644, contents: { inline: b, remote: { url: "https://c" } } }] }',
      'storage.files[0].contents: only one of',
    ],
    ['storage: { filesystems: [{ name: a }] }', 'storage.filesystems[0]: needs one of mount and path'],
    ['storage: { filesystems: [{ mount: { device: /a, format: zfs } }] }', 'storage.filesystems[0]: mount.format: '],
    ['storage: { disks: [{ device: /a, partitions: [{ size: 10 }] }] }', 'storage.disks[0].partitions[0].size: '],
    ['systemd: { units: [{ name: a }] }', 'systemd.units[0]: name: has no extension'],
    ['systemd: { units: [{ name: a.service, dropins: [{ name: b }] }] }', 'systemd.units[0]: dropins: '],
    ['passwd: { users: [{ name: a, create: {} }] }', 'passwd.users[0].create: is out of use'],
    ['locksmith: { window_start: "04:00" }', 'locksmith: window_start and window_length go together'],
    ['etcd: { version: 3.5.0 }', 'etcd: is not supported'],
    ['flannel: {}', 'flannel: is not supported'],
  ])('names the location of the error in %s', (source, says) => {
    expect(() => transpile(source)).toThrow(AT + says);
  });
});
