import type { ClusterResourceSet } from '../../../shared/kinds/index.ts';
import type { ManifestObject } from '../../../shared/plan/addons/manifests.ts';
import type { Work } from '../../../shared/plan/addons/plan.ts';
import { describeRefusals, type Refusal } from '../../../shared/plan/addons/refusals.ts';
import { nameOf } from '../../../shared/plan/addons/source.ts';
import { type WorkloadClient, WorkloadRefusedError } from '../../../shared/workload/client.ts';

/** Under this name the objects' fields are ours in the created cluster. */
export const FIELD_MANAGER = 'windlass-addons';

/** What was applied once is left to others from then on: an object that is there is not touched. */
const applyObject = async (client: WorkloadClient, set: ClusterResourceSet, object: ManifestObject): Promise<void> => {
  if (set.spec.strategy !== 'Reconcile' && (await client.exists(object))) return;
  await client.apply(object, FIELD_MANAGER);
};

/**
 * Applies the objects of one resource in their order. One that is refused does not stop those after it. Returns why the
 * resource is not applied, or undefined when it is. Throws WorkloadUnreachableError.
 */
export const applyWork = async (
  client: WorkloadClient,
  set: ClusterResourceSet,
  work: Work,
): Promise<string | undefined> => {
  if ('fault' in work) return `${nameOf(work.ref)}: ${work.fault}`;
  const refusals: Refusal[] = [];
  for (const object of work.objects) {
    try {
      await applyObject(client, set, object);
    } catch (error) {
      if (!(error instanceof WorkloadRefusedError)) throw error;
      refusals.push({ object, error });
    }
  }
  return refusals.length > 0 ? `${nameOf(work.ref)}: ${describeRefusals(work.ref, refusals)}` : undefined;
};
