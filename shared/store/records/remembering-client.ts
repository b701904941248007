import { isDeepStrictEqual } from 'node:util';
import { ConflictError } from '../../errors.ts';
import { type KubeObject, lookUp, type ObjectKey } from '../../kube-api/object.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';
import type { ObjectClient } from '../../kube-api/storage/client.ts';
import { PERSISTENT_ATTEMPTS } from '../../kube-api/storage/retry.ts';
import type { MemoryKind } from '../../plan/memory/kind.ts';
import { parted, remembering, withInheritance } from '../../plan/memory/memory.ts';
import { memoryOf } from '../../providers/memory.ts';
import { mapConcurrently } from '../concurrency.ts';
import { NO_RECORD, type ObjectRecord, type RecordOwner, type Records } from './records.ts';

const NAMESPACES_AT_ONCE = 8;

/** An object and its record, as both were read. */
interface Known<T extends KubeObject = KubeObject> {
  stored: T;
  record: ObjectRecord;
}

const ownerOf = ({ metadata }: KubeObject): RecordOwner => ({
  namespace: metadata.namespace ?? '',
  uid: metadata.uid ?? '',
});

/** Whether a write of `object` removes it, because it is being deleted and has no more finalizers. */
const isLast = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;

/**
 * The controllers' objects with their records (shared/plan/memory). For kinds that have records, each read of an object
 * also reads its record. A change may affect both. The object is written first and then the record, each on the
 * condition that no other writer was faster; otherwise the change is repeated. So a change must be repeatable, like all
 * changes of `mutate`. What must be recorded before a call to AWS is stored when `mutate` returns.
 */
export const withMemory = (objects: ObjectClient, records: Records): ObjectClient => {
  const known = new WeakMap<KubeObject, Known>();

  const show = <T extends KubeObject>(kind: MemoryKind, { stored, record }: Known<T>): T => {
    const shown = remembering(kind, stored, record.version === 0 ? undefined : record.entries);
    // A copy, because the same stored object may be returned again with another record.
    const view = shown === stored ? { ...stored } : shown;
    known.set(view, { stored, record });
    return view;
  };

  const readRecord = async (object: KubeObject): Promise<ObjectRecord> => {
    const [record] = await records.read([ownerOf(object)]);
    return record as ObjectRecord;
  };

  const showAll = async <T extends KubeObject>(kind: MemoryKind, stored: readonly T[]): Promise<T[]> => {
    const found = stored.length === 0 ? [] : await records.read(stored.map(ownerOf));
    return stored.map((one, index) => show(kind, { stored: one, record: found[index] as ObjectRecord }));
  };

  const surveyRecords = async <T extends KubeObject>(kind: MemoryKind, stored: readonly T[]): Promise<T[]> => {
    const namespaces = [...new Set(stored.map((one) => ownerOf(one).namespace))];
    const read = await mapConcurrently(
      namespaces,
      NAMESPACES_AT_ONCE,
      async (namespace) => [namespace, await records.survey(namespace)] as const,
    );
    const found = new Map(read);
    return stored.map((one) => {
      const { namespace, uid } = ownerOf(one);
      return show(kind, { stored: one, record: found.get(namespace)?.get(uid) ?? NO_RECORD });
    });
  };

  const find = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
  ): Promise<Known<T> | undefined> => {
    const stored = await objects.get(resource, key);
    return stored && { stored, record: await readRecord(stored) };
  };

  return {
    get: async (resource, key, options) => {
      const kind = memoryOf(resource);
      if (!kind) return objects.get(resource, key, options);
      const found = await find(resource, key);
      return found && show(kind, found);
    },
    list: async (resource, ...how) => {
      const kind = memoryOf(resource);
      const found = await objects.list(resource, ...how);
      return kind ? showAll(kind, found) : found;
    },
    survey: async (resource, ...how) => {
      const kind = memoryOf(resource);
      const found = await objects.survey(resource, ...how);
      return kind ? surveyRecords(kind, found) : found;
    },
    listOfCluster: async (resource, namespace, cluster, options) => {
      const kind = memoryOf(resource);
      const found = await objects.listOfCluster(resource, namespace, cluster, options);
      return kind ? showAll(kind, found) : found;
    },
    listNaming: async (resource, ...how) => {
      const kind = memoryOf(resource);
      const found = await objects.listNaming(resource, ...how);
      return kind ? showAll(kind, found) : found;
    },
    ensure: async (resource, object, options) => {
      const kind = memoryOf(resource);
      if (!kind) return objects.ensure(resource, object, options);
      // The input of a new object is untrusted, and nothing can be recorded for it yet.
      const { object: stored, created } = await objects.ensure(resource, parted(kind, object).object, options);
      return { object: show(kind, { stored, record: created ? NO_RECORD : await readRecord(stored) }), created };
    },
    mutate: async (resource, target, change, options = {}) => {
      const kind = memoryOf(resource);
      if (!kind) return objects.mutate(resource, target, change, options);
      const { key, uid } = lookUp(target);
      let from = options.from && (known.get(options.from) as Known<typeof options.from> | undefined);
      for (let attempt = 0; attempt < PERSISTENT_ATTEMPTS; attempt += 1) {
        const before = from ?? (await find(resource, key));
        from = undefined;
        if (!before || (uid && before.stored.metadata.uid !== uid)) return undefined;
        const done = await mutateOnce({ objects, records, show, kind }, resource, key, before, change);
        if (done) return done.view;
      }
      throw new ConflictError(
        `the record of ${resource.kind} ${key.name} was changed by others ${PERSISTENT_ATTEMPTS} times`,
      );
    },
    apply: async (resource, object, manager, options) => {
      const kind = memoryOf(resource);
      if (!kind) return objects.apply(resource, object, manager, options);
      const { object: stored, outcome } = await objects.apply(resource, parted(kind, object).object, manager, options);
      const record = outcome === 'created' ? NO_RECORD : await readRecord(stored);
      return { object: show(kind, { stored, record }), outcome };
    },
    delete: (resource, target, options) => objects.delete(resource, target, options),
  };
};

interface Parts {
  objects: ObjectClient;
  records: Records;
  kind: MemoryKind;
  show<T extends KubeObject>(kind: MemoryKind, known: Known<T>): T;
}

/**
 * One attempt; undefined if the object or the record has changed in the meantime, so that the change must be repeated.
 */
const mutateOnce = async <T extends KubeObject>(
  { objects, records, show, kind }: Parts,
  resource: ResourceDefinition<T>,
  key: ObjectKey,
  { stored: from, record }: Known<T>,
  change: (current: T) => T | undefined,
): Promise<{ view: T | undefined } | undefined> => {
  const owner = ownerOf(from);
  const { version } = record;
  const viewOf = (stored: T): T => show(kind, { stored, record });
  const planned = change(viewOf(from));
  // A later write of the object fails, and reports that it is gone.
  const isEnding = planned !== undefined && isLast(planned);
  if (isEnding && !(await records.end(owner, version))) return undefined;

  let entries: ObjectRecord['entries'] | undefined;
  let isAnother = false;
  const written = await objects.mutate(
    resource,
    key,
    (current) => {
      isAnother = current.metadata.uid !== owner.uid;
      const next = isAnother ? undefined : change(viewOf(current));
      entries = undefined;
      if (!next) return undefined;
      const { object, entries: wanted } = parted(kind, next);
      entries = wanted;
      return version === 0 ? withInheritance(kind, object, current) : object;
    },
    { from },
  );
  if (isAnother) return undefined;
  if (!written || isEnding) return { view: written && show(kind, { stored: written, record }) };
  if (!entries || isDeepStrictEqual(entries, record.entries)) return { view: show(kind, { stored: written, record }) };
  const next = await records.write(owner, entries, version);
  return next && { view: show(kind, { stored: written, record: next }) };
};
