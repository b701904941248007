import type { KubeObject, OwnerReference } from '../object.ts';
import type { Registry, RegistryOptions } from '../registry/registry.ts';
import { createDeleter } from '../registry/registry-delete.ts';
import { createUpdater } from '../registry/registry-update.ts';
import type { ResourceDefinition } from '../resource.ts';
import { collectGarbage } from './collector.ts';
import type { BeforeCollecting, Budget, Collected, Ownership } from './contract.ts';
import { inFairOrder } from './fair-order.ts';
import { waitsForGarbage } from './finalizers.ts';
import type { LinkVersion, Mark } from './owner-index.ts';
import { ownerPlace, placeOf, UNOPENED } from './owners.ts';

const NOTHING: Collected = { touched: [], failures: [], left: 0 };

const NO_OWNERSHIP: Ownership = {
  adding: async () => {},
  added: async () => {},
  leaving: async () => {},
  left: async () => {},
  sweep: async () => NOTHING,
};

/** Events never own objects, and there are many of them. */
const isOwner = ({ kind }: ResourceDefinition): boolean => kind !== 'Event';

/** The owners in `next` that `old` does not have. */
const newOwners = (next: KubeObject | undefined, old: KubeObject | undefined) => {
  const known = new Set(old?.metadata.ownerReferences?.map(({ uid }) => uid));
  return (next?.metadata.ownerReferences ?? []).filter(({ uid }) => !known.has(uid));
};

const versionOf = ({ metadata }: KubeObject, version: string | undefined): LinkVersion => ({
  of: metadata.uid ?? '',
  based: Number(version) || 0,
});

export const createOwnership = (options: RegistryOptions, get: Registry['get']): Ownership => {
  if (!options.ownership) return NO_OWNERSHIP;
  const { index, atOnce, onFailure } = options.ownership;
  const at = (): number => options.clock.now().getTime();
  const markOf = (resource: ResourceDefinition, object: KubeObject): Mark => ({
    ...placeOf(resource, object),
    uid: object.metadata.uid ?? '',
    at: at(),
  });

  /** The marks to process after a write: for its object, and for owners that may have been waiting for it. */
  const marksAfter = async (resource: ResourceDefinition, object: KubeObject): Promise<Mark[]> => {
    const waiting = (object.metadata.ownerReferences ?? []).filter(({ blockOwnerDeletion }) => blockOwnerDeletion);
    const owners = await Promise.all(
      waiting.map(async (owner) => ({ uid: owner.uid, place: await ownerPlace(options, owner, object) })),
    );
    return [
      ...(isOwner(resource) ? [markOf(resource, object)] : []),
      ...owners.flatMap(({ uid, place }) => (place ? [{ ...place, uid, at: at() }] : [])),
    ];
  };

  const isMissing = async (owner: OwnerReference, object: KubeObject): Promise<boolean> => {
    const place = await ownerPlace(options, owner, object);
    const found = place && (await options.storage.get(place, place.namespace, place.name, UNOPENED));
    return place !== undefined && found?.metadata.uid !== owner.uid;
  };

  /** The parts that writes by users and by the collector share. */
  const recording = {
    adding: async (resource: ResourceDefinition, next: KubeObject, old: KubeObject | undefined) => {
      const version = versionOf(next, old?.metadata.resourceVersion);
      await Promise.all(newOwners(next, old).map(({ uid }) => index.link(uid, placeOf(resource, next), version)));
    },
    added: async (resource: ResourceDefinition, stored: KubeObject, old: KubeObject | undefined) => {
      // Keeps the link if a later write has named the owner again.
      const version = versionOf(stored, stored.metadata.resourceVersion);
      const dropped = newOwners(old, stored).map(({ uid }) => index.unlink(uid, placeOf(resource, stored), version));
      const missing = newOwners(stored, old).map((owner) => isMissing(owner, stored));
      // One mark for the dependent is enough. A mark for each owner would stay until a sweep had looked for that owner.
      if ((await Promise.all(missing)).includes(true)) await index.mark(markOf(resource, stored));
      await Promise.all(dropped);
    },
    forget: async (resource: ResourceDefinition, object: KubeObject) => {
      if (waitsForGarbage(object)) return;
      const place = placeOf(resource, object);
      await Promise.all((object.metadata.ownerReferences ?? []).map(({ uid }) => index.unlink(uid, place)));
    },
    leaving: async (resource: ResourceDefinition, object: KubeObject) => {
      if (isOwner(resource)) await index.mark(markOf(resource, object));
    },
  };

  const run = (marks: readonly Mark[], budget: Budget, before?: BeforeCollecting): Promise<Collected> => {
    const queue = [...marks];
    // A collected object may own others: it is queued instead of being collected recursively.
    const within: Ownership = {
      ...recording,
      left: async (resource, object) => {
        await recording.forget(resource, object);
        queue.push(...(await marksAfter(resource, object)));
      },
      sweep: async () => NOTHING,
    };
    const remove = createDeleter(options, get, within);
    const update = createUpdater(options, get, within);
    return collectGarbage({ options, index, remove, update, before }, queue, budget);
  };

  return {
    ...recording,
    left: async (resource, object) => {
      try {
        await recording.forget(resource, object);
        if (!atOnce) return;
        const { failures } = await run(await marksAfter(resource, object), atOnce);
        for (const failure of failures) onFailure?.(failure);
      } catch (error) {
        // The write itself has succeeded. Its mark remains, so the sweep retries.
        onFailure?.(error);
      }
    },
    sweep: async (budget, before) =>
      run(
        inFairOrder(await index.marks(), ({ namespace }) => namespace, options.clock.now()),
        budget,
        before,
      ),
  };
};
