import type { IgnitionConfig } from '../config.ts';

/** Errors that Ignition itself would only report at the machine's first boot, where nobody sees them. */

const FORMATS = ['ext4', 'btrfs', 'xfs', 'vfat', 'swap'];
const LEVELS = /^(linear|stripe|mirror|(raid)?(0|1|4|5|6|10))$/;
const UNIT = /\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$/;
const NETWORK_UNIT = /\.(network|netdev|link)$/;
const SCHEME = /^(https?|s3|tftp|data):/;
const GUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

type Rule<Item> = (item: Item) => string | undefined | false;

const findings = <Item>(items: readonly Item[], field: string, rules: readonly Rule<Item>[]): string[] =>
  items.flatMap((item, index) =>
    rules.flatMap((rule) => {
      const problem = rule(item);
      return problem ? [`${field}[${index}]: ${problem}`] : [];
    }),
  );

const absolute = ({ path }: { path: string }) => !path.startsWith('/') && 'path: must be absolute';

const oneOwner = ({ user, group }: { user?: { id?: number; name?: string }; group?: { id?: number; name?: string } }) =>
  [user, group].some((owner) => owner?.id !== undefined && owner.name) && 'user, group: have an id or a name, not both';

const octal = ({ mode = 0 }: { mode?: number }) => (mode < 0 || mode > 0o7777) && 'mode: must be at most 07777';

const storage = (config: IgnitionConfig): string[] => [
  ...findings(config.files, 'storage.files', [
    absolute,
    oneOwner,
    octal,
    ({ append, overwrite }) => append && overwrite && 'append and overwrite: exclude each other',
    ({ contents }) => !SCHEME.test(contents.source) && 'contents.remote.url: must be http, https, s3, tftp or data',
  ]),
  ...findings(config.directories, 'storage.directories', [absolute, oneOwner, octal]),
  ...findings(config.links, 'storage.links', [absolute, oneOwner]),
  ...findings(config.disks, 'storage.disks', [
    ({ device }) => !device.startsWith('/') && 'device: must be an absolute path',
    ({ partitions = [] }) => {
      const numbers = partitions.flatMap(({ number }) => (number ? [number] : []));
      return new Set(numbers).size !== numbers.length && 'partitions: have the same number';
    },
    ({ partitions = [] }) =>
      partitions.some(({ label = '' }) => label.length > 36 || label.includes(':')) &&
      'partitions: a label has at most 36 characters, none of them a colon',
    ({ partitions = [] }) =>
      partitions.some(({ guid, typeGuid }) => [guid, typeGuid].some((id) => id !== undefined && !GUID.test(id))) &&
      'partitions: a guid has the form 01234567-89ab-cdef-0123-456789abcdef',
  ]),
  ...findings(config.raid, 'storage.raid', [({ level }) => !LEVELS.test(level) && 'level: is not known']),
  ...findings(config.filesystems, 'storage.filesystems', [
    ({ mount }) => mount && !mount.device.startsWith('/') && 'mount.device: must be an absolute path',
    ({ mount }) => mount && !FORMATS.includes(mount.format) && `mount.format: must be one of ${FORMATS.join(', ')}`,
  ]),
];

const dropInNames = ({ dropins = [] }: { dropins?: readonly { name: string }[] }) =>
  dropins.some(({ name }) => !name.endsWith('.conf')) && 'dropins: the name of a drop-in ends with .conf';

/** The errors in a config, with their location; none if Ignition will accept it. */
export const check = (config: IgnitionConfig): string[] => [
  ...storage(config),
  ...findings(config.units, 'systemd.units', [
    ({ name }) => !UNIT.test(name) && 'name: has no extension of a unit',
    dropInNames,
  ]),
  ...findings(config.networkUnits, 'networkd.units', [
    ({ name }) => !NETWORK_UNIT.test(name) && 'name: ends with .network, .netdev or .link',
    dropInNames,
  ]),
];
