import type { ObjectKey, ResourceId } from '../object.ts';

/** Where an object is. */
export interface Place extends ResourceId, ObjectKey {}

/** A note that an object goes, or waits for its dependents, which stays until these are dealt with. */
export interface Mark extends Place {
  uid: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
}

/**
 * Dependents of each owner, and the owners whose dependents must be handled. Stored separately from the objects: a link
 * exists before its object, and may outlive it; a mark exists before the owner is removed. So after a crash in between,
 * the sweep finds the rest.
 */
export interface OwnerIndex {
  link(ownerUid: string, dependent: Place): Promise<void>;
  unlink(ownerUid: string, dependent: Place): Promise<void>;
  /** Every object that may name the owner of that uid. */
  dependents(ownerUid: string): Promise<Place[]>;
  mark(mark: Mark): Promise<void>;
  /** Removes a mark, unless a later write has marked the owner again. */
  unmark(mark: Pick<Mark, 'uid' | 'at'>): Promise<void>;
  marks(): Promise<Mark[]>;
}

const textOf = ({ group, plural, namespace, name }: Place): string => [group, plural, namespace, name].join('/');

/** The index of objects that are kept in the memory of this process. */
export const createMemoryOwnerIndex = (): OwnerIndex => {
  const links = new Map<string, Map<string, Place>>();
  const marks = new Map<string, Mark>();
  return {
    link: async (ownerUid, dependent) => {
      const known = links.get(ownerUid) ?? new Map<string, Place>();
      links.set(ownerUid, known.set(textOf(dependent), dependent));
    },
    unlink: async (ownerUid, dependent) => {
      const known = links.get(ownerUid);
      known?.delete(textOf(dependent));
      if (known?.size === 0) links.delete(ownerUid);
    },
    dependents: async (ownerUid) => [...(links.get(ownerUid)?.values() ?? [])],
    mark: async (mark) => void marks.set(mark.uid, mark),
    unmark: async ({ uid, at }) => {
      if ((marks.get(uid)?.at ?? 0) <= at) marks.delete(uid);
    },
    marks: async () => [...marks.values()],
  };
};
