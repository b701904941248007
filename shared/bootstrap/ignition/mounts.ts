import { BootstrapInvalidError } from '../invalid.ts';
import type { DiskSetup } from '../kubeadm/spec.ts';
import type { Unit } from './config.ts';

/** Values that replace the filesystem's type. Any other word in that place is an option. */
const TYPES = new Set(['auto', 'btrfs', 'ext2', 'ext3', 'ext4', 'iso9660', 'nfs', 'nfs4', 'tmpfs', 'vfat', 'xfs']);

/** The name that systemd requires for the unit of a mount point: `/var/lib/a-b` is `var-lib-a\x2db.mount`. */
export const mountUnitName = (path: string): string => {
  const trimmed = path.replace(/\/+/g, '/').replace(/^\/|\/$/g, '');
  if (trimmed === '') return '-.mount';
  const escaped = [...Buffer.from(trimmed, 'utf8')]
    .map((byte) => String.fromCharCode(byte))
    .map((character, index) => {
      if (character === '/') return '-';
      const isPlain = /[A-Za-z0-9:_.]/.test(character) && !(character === '.' && index === 0);
      return isPlain ? character : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
    });
  return `${escaped.join('')}.mount`;
};

const BY: Readonly<Record<string, string>> = {
  LABEL: 'by-label',
  UUID: 'by-uuid',
  PARTLABEL: 'by-partlabel',
  PARTUUID: 'by-partuuid',
};

/**
 * The device in the first field of a mount: the label of a filesystem that is created here, or a form that fstab knows.
 */
const deviceOf = (source: string, setup: DiskSetup | undefined, field: string): string => {
  const [, key = '', value = source] = /^(\w+)=(.*)$/.exec(source) ?? [];
  const made = setup?.filesystems?.find(({ label }) => label !== undefined && label === value);
  if (made && (key === '' || key === 'LABEL')) return made.device;
  const folder = BY[key];
  if (folder !== undefined) return `/dev/disk/${folder}/${value}`;
  if (source.startsWith('/') || source === 'tmpfs' || source.includes(':/')) return source;
  throw new BootstrapInvalidError(
    field,
    `"${source}" is neither a device nor the label of one in diskSetup.filesystems`,
  );
};

/** fstab's frequency and pass, the last two of six fields, have no meaning in a unit. */
const optionsOf = (rest: readonly string[]): string => {
  const isNumber = (word: string | undefined): boolean => /^[0-2]$/.test(word ?? '');
  const words = rest.length >= 2 && rest.slice(-2).every(isNumber) ? rest.slice(0, -2) : rest;
  return words.join(',');
};

/** In units, a percent sign starts a specifier. */
const literal = (word: string): string => word.replaceAll('%', '%%');

/**
 * One entry of `mounts` (source, path, and then optionally a type or options) as a unit that mounts it at each boot.
 */
export const mountUnit = (fields: readonly string[], setup: DiskSetup | undefined, index: number): Unit => {
  const [source = '', path = '', ...rest] = fields;
  const field = `spec.mounts[${index}]`;
  if (!path.startsWith('/')) {
    throw new BootstrapInvalidError(
      `${field}[1]`,
      `"${path}" is not an absolute path; Ignition mounts only absolute paths`,
    );
  }
  const type = TYPES.has(rest[0] ?? '') ? rest[0] : undefined;
  const options = optionsOf(type === undefined ? rest : rest.slice(1));
  return {
    name: mountUnitName(path),
    enabled: true,
    contents: [
      '[Unit]',
      literal(`Description=Mount ${source} at ${path}`),
      'Before=local-fs.target kubelet.service',
      '',
      '[Mount]',
      `What=${literal(deviceOf(source, setup, `${field}[0]`))}`,
      `Where=${literal(path)}`,
      ...(type === undefined ? [] : [`Type=${type}`]),
      ...(options === '' ? [] : [`Options=${literal(options)}`]),
      '',
      '[Install]',
      'WantedBy=local-fs.target',
      '',
    ].join('\n'),
  };
};
