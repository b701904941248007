import { isObject, type JsonObject } from '../../../shared/kube-api/json.ts';

/** Discovery documents list everything that a server has, and a kube-apiserver has more kinds. */
const DISCOVERY: ReadonlySet<unknown> = new Set(['APIGroupList', 'APIGroupDiscoveryList', 'APIResourceList']);

const LISTS: ReadonlySet<string> = new Set(['groups', 'items', 'versions', 'resources', 'subresources']);

const nameOf = (item: unknown): unknown => {
  if (!isObject(item)) return undefined;
  const { metadata, name, resource, subresource, version } = item;
  return (isObject(metadata) ? (metadata.name ?? '') : undefined) ?? name ?? resource ?? subresource ?? version;
};

/** The entries of `theirs` that `ours` has as well, in the order of `ours`. */
const inCommon = (theirs: unknown, ours: unknown): unknown => {
  if (!isObject(theirs) || !isObject(ours)) return theirs;
  const narrowMember = ([key, value]: [string, unknown]): [string, unknown] => {
    const other = ours[key];
    if (!LISTS.has(key) || !Array.isArray(value) || !Array.isArray(other)) return [key, value];
    return [
      key,
      other.flatMap((mine) =>
        value.filter((item) => nameOf(item) === nameOf(mine)).map((item) => inCommon(item, mine)),
      ),
    ];
  };
  return Object.fromEntries(Object.entries(theirs).map(narrowMember)) as JsonObject;
};

/** Narrows a discovery document to what both servers have. Entries that only `ours` has remain as differences. */
export const narrow = (theirs: unknown, ours: unknown): unknown =>
  isObject(theirs) && DISCOVERY.has(theirs.kind) ? inCommon(theirs, ours) : theirs;
