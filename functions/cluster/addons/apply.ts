import type { ClusterResourceSet } from '../../../shared/kinds/index.ts';
import type { ManifestObject } from '../../../shared/plan/addons/manifests.ts';
import type { Work } from '../../../shared/plan/addons/plan.ts';
import { describeRefusals, describeUndeclared, type Refusal } from '../../../shared/plan/addons/refusals.ts';
import { nameOf } from '../../../shared/plan/addons/source.ts';
import { droppedFields, withoutUndeclared } from '../../../shared/plan/addons/undeclared.ts';
import { type WorkloadClient, WorkloadRefusedError } from '../../../shared/workload/client.ts';

/** Under this name the objects' fields are ours in the created cluster. */
const FIELD_MANAGER = 'windlass-addons';

/** A refusal names as many fields as fit into its words; the rest comes with the next one. */
const MAX_TRIES = 20;

/** Applies what the schema declares of an object, and returns the fields that it does not declare. */
const applyDeclared = async (client: WorkloadClient, object: ManifestObject): Promise<string[]> => {
  const undeclared: string[] = [];
  let rest = object;
  for (let tries = 1; ; tries += 1) {
    try {
      await client.apply(rest, FIELD_MANAGER);
      return undeclared;
    } catch (error) {
      const without = error instanceof WorkloadRefusedError && withoutUndeclared(rest, error.words);
      if (!without || tries === MAX_TRIES) throw error;
      rest = without.object;
      undeclared.push(...without.fields);
    }
  }
};

/**
 * What was applied once is left to others from then on: an object that is there is not touched. Returns the fields that
 * were left out because the cluster does not know them.
 */
const applyObject = async (
  client: WorkloadClient,
  set: ClusterResourceSet,
  object: ManifestObject,
): Promise<readonly string[]> =>
  set.spec.strategy === 'Reconcile'
    ? applyDeclared(client, object)
    : droppedFields(await client.create(object, FIELD_MANAGER));

/** What came of one resource. */
export interface Applied {
  /** Why it is not applied; undefined when it is. */
  problem?: string;
  /** What of it counts for nothing. */
  warnings: string[];
}

/**
 * Applies the objects of one resource in their order. One that is refused does not stop those after it. Throws
 * WorkloadUnreachableError.
 */
export const applyWork = async (client: WorkloadClient, set: ClusterResourceSet, work: Work): Promise<Applied> => {
  if ('fault' in work) return { problem: `${nameOf(work.ref)}: ${work.fault}`, warnings: [] };
  const warnings = [...work.warnings];
  const refusals: Refusal[] = [];
  for (const object of work.objects) {
    try {
      const fields = await applyObject(client, set, object);
      if (fields.length > 0) warnings.push(describeUndeclared(work.ref, object, fields));
    } catch (error) {
      if (!(error instanceof WorkloadRefusedError)) throw error;
      refusals.push({ object, error });
    }
  }
  const told = warnings.map((warning) => `${nameOf(work.ref)}: ${warning}`);
  if (refusals.length === 0) return { warnings: told };
  return { problem: `${nameOf(work.ref)}: ${describeRefusals(work.ref, refusals)}`, warnings: told };
};
