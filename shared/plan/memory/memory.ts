import type { KubeObject } from '../../kube-api/object.ts';
import { type MemoryKind, prefixesOf } from './kind.ts';

/**
 * Controllers keep their own data about an object in a separate record, which the API does not serve. In the
 * controllers' view the entries of the record are among the object's annotations, so that planners read and change an
 * object and its record together. Annotations with these names that are stored in the object itself are input: the view
 * omits them.
 */

export type Entries = Readonly<Record<string, string>>;

const isRemembered = (kind: MemoryKind, key: string): boolean =>
  kind.names.includes(key) || prefixesOf(kind).some((prefix) => key.startsWith(prefix));

const partition = (annotations: Entries, isOwn: (key: string) => boolean): { own: Entries; others: Entries } => {
  const all = Object.entries(annotations);
  return {
    own: Object.fromEntries(all.filter(([key]) => isOwn(key))),
    others: Object.fromEntries(all.filter(([key]) => !isOwn(key))),
  };
};

const withAnnotations = <T extends KubeObject>(object: T, annotations: Entries): T => {
  const { annotations: _, ...metadata } = object.metadata;
  const isEmpty = Object.keys(annotations).length === 0;
  return { ...object, metadata: isEmpty ? metadata : { ...metadata, annotations: { ...annotations } } };
};

/** The entries that an object of version 0.1, which stored them in annotations, is assumed to have. */
const inherited = (kind: MemoryKind, object: KubeObject): Entries => {
  const { own } = partition(object.metadata.annotations ?? {}, (key) => isRemembered(kind, key));
  return Object.fromEntries(
    Object.entries(own).flatMap(([key, text]) => {
      const proven = kind.legacy?.[key]?.(text, object);
      return proven === undefined ? [] : [[key, proven]];
    }),
  );
};

/** The controllers' view of `stored`. `entries` is undefined if the object has no record yet. */
export const remembering = <T extends KubeObject>(kind: MemoryKind, stored: T, entries: Entries | undefined): T => {
  const { own, others } = partition(stored.metadata.annotations ?? {}, (key) => isRemembered(kind, key));
  const memory = entries ?? inherited(kind, stored);
  if (Object.keys(own).length === 0 && Object.keys(memory).length === 0) return stored;
  return withAnnotations(stored, { ...others, ...memory });
};

/** A view split into the stored object and its record. */
export const parted = <T extends KubeObject>(kind: MemoryKind, view: T): { object: T; entries: Entries } => {
  const { own, others } = partition(view.metadata.annotations ?? {}, (key) => isRemembered(kind, key));
  return { object: Object.keys(own).length === 0 ? view : withAnnotations(view, others), entries: own };
};

/** `object` with those annotations of `stored` that only apply until there is a record. */
export const withInheritance = <T extends KubeObject>(kind: MemoryKind, object: T, stored: KubeObject): T => {
  const { own } = partition(stored.metadata.annotations ?? {}, (key) => isRemembered(kind, key));
  if (Object.keys(own).length === 0) return object;
  return withAnnotations(object, { ...object.metadata.annotations, ...own });
};

/** Whether the object of a view has any record of the controllers. */
export const hasMemories = (kind: MemoryKind, view: KubeObject): boolean =>
  Object.keys(view.metadata.annotations ?? {}).some((key) => isRemembered(kind, key));
