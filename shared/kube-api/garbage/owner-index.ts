import type { ObjectKey, ResourceId } from '../object.ts';

/** Where an object is. */
export interface Place extends ResourceId, ObjectKey {}

/** A note that an object goes, or waits for its dependents, which stays until these are dealt with. */
export interface Mark extends Place {
  uid: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** Whether version 0.1 has written it, under another key. */
  isFormer?: boolean;
}

/** The version of a dependent that a link was made from. */
export interface LinkVersion {
  /** The dependent's uid. */
  of: string;
  /** Its resourceVersion before the write; 0 before its creation. */
  based: number;
}

/**
 * Dependents of each owner, and the owners whose dependents must be handled. Stored separately from the objects: a link
 * exists before its object, and may outlive it; a mark exists before the owner is removed. So after a crash in between,
 * the sweep finds the rest.
 */
export interface OwnerIndex {
  link(ownerUid: string, dependent: Place, version?: LinkVersion): Promise<void>;
  /** With a version, only a link that a writer of an earlier version of the same object has made. */
  unlink(ownerUid: string, dependent: Place, version?: LinkVersion): Promise<void>;
  /** Every object that may name the owner of that uid. */
  dependents(ownerUid: string): Promise<Place[]>;
  mark(mark: Mark): Promise<void>;
  /** Removes a mark, unless a later write has marked the owner again. */
  unmark(mark: Mark): Promise<void>;
  /** Not all of them if there are many: of each namespace a limited number. */
  marks(): Promise<Mark[]>;
}

const textOf = ({ group, plural, namespace, name }: Place): string => [group, plural, namespace, name].join('/');

const isLater = (known: LinkVersion | undefined, { of, based }: LinkVersion): boolean =>
  known !== undefined && (known.of !== of || known.based >= based);

/** The index of objects that are kept in the memory of this process. */
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
