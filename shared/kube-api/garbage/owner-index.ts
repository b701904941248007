import type { ObjectKey, ResourceId } from '../object.ts';

/** The location of an object. */
export interface Place extends ResourceId, ObjectKey {}

/** Records that an object is being removed, or waits for its dependents. The mark stays until they are handled. */
export interface Mark extends Place {
  uid: string;
  /** The time of the write, in milliseconds since 1970. */
  at: number;
  /** True if version 0.1 wrote the mark, under a different key. */
  isFormer?: boolean;
}

/** The version of the dependent that wrote a link. */
export interface LinkVersion {
  /** The dependent's uid. */
  of: string;
  /** The resourceVersion that the write replaced; 0 for a creation. */
  based: number;
}

/**
 * Stores the dependents of each owner, and marks for the owners whose dependents must be handled. It is stored
 * separately from the objects: a link is written before its object and may outlive it, and a mark is written before its
 * owner is removed. After a crash in between, the sweep handles the rest.
 */
export interface OwnerIndex {
  link(ownerUid: string, dependent: Place, version?: LinkVersion): Promise<void>;
  /** With a version, only removes a link that an earlier version of the same object wrote. */
  unlink(ownerUid: string, dependent: Place, version?: LinkVersion): Promise<void>;
  /** All objects that may name the owner with this uid. */
  dependents(ownerUid: string): Promise<Place[]>;
  mark(mark: Mark): Promise<void>;
  /** Removes a mark, unless a later write has marked the owner again. */
  unmark(mark: Mark): Promise<void>;
  /** Returns a limited number of marks for each namespace. */
  marks(): Promise<Mark[]>;
}

const textOf = ({ group, plural, namespace, name }: Place): string => [group, plural, namespace, name].join('/');

const isLater = (known: LinkVersion | undefined, { of, based }: LinkVersion): boolean =>
  known !== undefined && (known.of !== of || known.based >= based);

/** Keeps the index in memory. */
export const createMemoryOwnerIndex = (): OwnerIndex => {
  const links = new Map<string, Map<string, { place: Place; version?: LinkVersion | undefined }>>();
  const marks = new Map<string, Mark>();
  return {
    link: async (ownerUid, place, version) => {
      const known = links.get(ownerUid) ?? new Map<string, { place: Place; version?: LinkVersion | undefined }>();
      links.set(ownerUid, known);
      const old = known.get(textOf(place))?.version;
      if (version && old && old.of === version.of && isLater(old, version)) return;
      known.set(textOf(place), { place, version });
    },
    unlink: async (ownerUid, dependent, version) => {
      const known = links.get(ownerUid);
      if (version && isLater(known?.get(textOf(dependent))?.version, version)) return;
      known?.delete(textOf(dependent));
      if (known?.size === 0) links.delete(ownerUid);
    },
    dependents: async (ownerUid) => [...(links.get(ownerUid)?.values() ?? [])].map(({ place }) => place),
    mark: async (mark) => void marks.set(mark.uid, mark),
    unmark: async ({ uid, at }) => {
      if ((marks.get(uid)?.at ?? 0) <= at) marks.delete(uid);
    },
    marks: async () => [...marks.values()],
  };
};
