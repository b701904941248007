import type { KubeObject, OwnerReference } from './object.ts';

interface Deduplicated<T> {
  object: T;
  warnings: string[];
}

/** The same for references with the same members, in whatever order. */
const keyOf = (owner: OwnerReference): string =>
  JSON.stringify(Object.entries(owner).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The object with each owner reference once, and a warning that says whose were there again. `patch` made the object. */
export const withoutDuplicateOwners = <T extends KubeObject>(object: T, patch = false): Deduplicated<T> => {
  const { ownerReferences } = object.metadata;
  if (!ownerReferences) return { object, warnings: [] };
  const firsts = new Map<string, OwnerReference>();
  const uids = new Set<string>();
  for (const owner of ownerReferences) {
    const key = keyOf(owner);
    if (firsts.has(key)) uids.add(owner.uid);
    else firsts.set(key, owner);
  }
  if (uids.size === 0) return { object, warnings: [] };
  const distinct = [...firsts.values()];
  return {
    object: { ...object, metadata: { ...object.metadata, ownerReferences: distinct } },
    warnings: [warningOf([...uids], patch)],
  };
};

const warningOf = (uids: readonly string[], patch: boolean): string =>
  [
    `.metadata.ownerReferences contains duplicate entries${patch ? ' after mutating admission happens' : ''}`,
    'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24',
    'please fix your requests',
    `duplicate UID(s) observed: ${uids.join(', ')}`,
  ].join('; ');
