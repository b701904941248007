import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from './object.ts';

interface Deduplicated<T> {
  object: T;
  warnings: string[];
}

/** The object with each owner reference once, and a warning that says whose were there again. `patch` made the object. */
export const withoutDuplicateOwners = <T extends KubeObject>(object: T, patch = false): Deduplicated<T> => {
  const { ownerReferences } = object.metadata;
  if (!ownerReferences) return { object, warnings: [] };
  const isFirst = (_: unknown, index: number): boolean =>
    ownerReferences.findIndex((other) => isDeepStrictEqual(other, ownerReferences[index])) === index;
  const distinct = ownerReferences.filter(isFirst);
  if (distinct.length === ownerReferences.length) return { object, warnings: [] };
  const uids = new Set(ownerReferences.filter((owner, index) => !isFirst(owner, index)).map(({ uid }) => uid));
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
