import { isDeepStrictEqual } from 'node:util';
import { formatTime } from '../../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import type { Storage } from '../../../../../shared/kube-api/storage/storage.ts';
import {
  customResourceDefinition,
  type Definition,
  establishedStatus,
  isSameKinds,
  kindOf,
} from '../custom-resources.ts';

/** The kinds that CustomResourceDefinitions add to the built-in ones. */
export interface CustomKinds {
  /** The same list object as long as nothing has changed. */
  current(): readonly ResourceDefinition[];
  /** Reads the definitions, serves their kinds, and reports that in their status. */
  reconcile(objects: ObjectClient, now: Date): Promise<void>;
}

const key = ({ group, plural }: ResourceDefinition): string => `${plural}.${group}`;

/** The objects of a kind are deleted with its definition. */
const removeObjects = async (storage: Storage, resource: ResourceDefinition): Promise<void> => {
  const { items } = await storage.list(resource, {});
  await Promise.all(items.map((object) => storage.remove(resource, object)));
};

/** `builtIn`: kinds that a definition cannot replace. */
export const makeCustomKinds = (storage: Storage, builtIn: readonly ResourceDefinition[]): CustomKinds => {
  const taken = new Set(builtIn.map(key));
  let known: readonly Definition[] = [];
  let served: readonly ResourceDefinition[] = [];
  return {
    current: () => served,
    reconcile: async (objects, now) => {
      const found = await objects.list<Definition>(customResourceDefinition);
      const definitions = found.filter(({ metadata }) => !taken.has(metadata.name));
      if (!isSameKinds(known, definitions)) {
        const next = definitions.flatMap((definition) => kindOf(definition) ?? []);
        const names = new Set(next.map(key));
        await Promise.all(
          served.filter((one) => !names.has(key(one))).map((resource) => removeObjects(storage, resource)),
        );
        [known, served] = [definitions, next];
      }
      for (const { metadata } of definitions) {
        await objects.mutate<Definition>(
          customResourceDefinition,
          { namespace: '', name: metadata.name },
          (current) => {
            const status = establishedStatus(current, formatTime(now));
            return isDeepStrictEqual(status, current.status) ? undefined : { ...current, status };
          },
        );
      }
    },
  };
};
