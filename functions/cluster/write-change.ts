import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';

/** Writes a change of an object as it was read. No call is made if there is nothing to change (undefined). */
export const writeChange = async <T extends KubeObject>(
  objects: Pick<ObjectClient, 'mutate'>,
  resource: ResourceDefinition<T>,
  object: T,
  change: (current: T) => T | undefined,
): Promise<void> => {
  if (change(object)) await objects.mutate(resource, object, change, { from: object });
};
