import type { DropIn, FileNode, IgnitionConfig, NetworkUnit, Unit } from './config.ts';

/** The fields of the first item, replaced by those that the second one sets. */
const overlay = <Item extends object>(first: Item, second: Item): Item =>
  Object.assign({}, first, Object.fromEntries(Object.entries(second).filter(([, value]) => value !== undefined)));

/** Combines entries with the same key into one, at the position of the first. */
const mergeBy = <Item extends object>(
  first: readonly Item[],
  second: readonly Item[],
  keyOf: (item: Item) => string,
  join: (one: Item, other: Item) => Item = overlay,
): Item[] => {
  const merged = new Map<string, Item>();
  for (const item of [...first, ...second]) {
    const key = keyOf(item);
    const before = merged.get(key);
    merged.set(key, before === undefined ? item : join(before, item));
  }
  return [...merged.values()];
};

const nameOf = ({ name }: { name?: string }): string => name ?? '';
const pathOf = ({ filesystem = 'root', path }: { filesystem?: string; path: string }): string =>
  `${filesystem}:${path}`;

const mergeDropIns = (first: readonly DropIn[] = [], second: readonly DropIn[] = []): DropIn[] | undefined =>
  first.length + second.length === 0 ? undefined : mergeBy(first, second, nameOf);

const mergeUnit = <Kind extends Unit | NetworkUnit>(one: Kind, other: Kind): Kind => ({
  ...overlay(one, other),
  dropins: mergeDropIns(one.dropins, other.dropins),
});

const together = <Item>(first: readonly Item[] = [], second: readonly Item[] = []): Item[] | undefined =>
  first.length + second.length === 0 ? undefined : [...new Set([...first, ...second])];

/** A file that is written replaces all earlier content; an append adds to it. */
const mergeFiles = (first: readonly FileNode[], second: readonly FileNode[]): FileNode[] =>
  [...first, ...second].reduce<FileNode[]>((files, file) => {
    const others = file.append ? files : files.filter((before) => pathOf(before) !== pathOf(file));
    return [...others, file];
  }, []);

/**
 * Combines two configs into one, in which each path, unit and user has one entry. Ignition 3 requires this, and
 * Ignition 2 accepts it as well. If both describe the same entry, the second one is used; drop-ins, groups and keys are
 * combined.
 */
export const mergeConfigs = (first: IgnitionConfig, second: IgnitionConfig): IgnitionConfig => ({
  append: [...first.append, ...second.append],
  replace: second.replace ?? first.replace,
  timeouts: overlay(first.timeouts, second.timeouts),
  certificateAuthorities: mergeBy(first.certificateAuthorities, second.certificateAuthorities, ({ source }) => source),
  disks: mergeBy(first.disks, second.disks, ({ device }) => device),
  raid: mergeBy(first.raid, second.raid, nameOf),
  filesystems: mergeBy(first.filesystems, second.filesystems, ({ mount, path }) => mount?.device ?? path ?? ''),
  files: mergeFiles(first.files, second.files),
  directories: mergeBy(first.directories, second.directories, pathOf),
  links: mergeBy(first.links, second.links, pathOf),
  units: mergeBy<Unit>(first.units, second.units, nameOf, mergeUnit),
  networkUnits: mergeBy<NetworkUnit>(first.networkUnits, second.networkUnits, nameOf, mergeUnit),
  users: mergeBy(first.users, second.users, nameOf, (one, other) => ({
    ...overlay(one, other),
    groups: together(one.groups, other.groups),
    sshAuthorizedKeys: together(one.sshAuthorizedKeys, other.sshAuthorizedKeys),
  })),
  groups: mergeBy(first.groups, second.groups, nameOf),
});
