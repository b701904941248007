import type { ClusterResourceSet } from '../../../shared/kinds/index.ts';
import type { ManifestObject } from '../../../shared/plan/addons/manifests.ts';
import type { Work } from '../../../shared/plan/addons/plan.ts';
import { describeRefusals, describeUndeclared, type Refusal } from '../../../shared/plan/addons/refusals.ts';
import { nameOf } from '../../../shared/plan/addons/source.ts';
import { droppedFields, withoutUndeclared } from '../../../shared/plan/addons/undeclared.ts';
import { type WorkloadClient, WorkloadRefusedError } from '../../../shared/workload/client.ts';

/** The field manager that owns the applied fields in the created cluster. */
const FIELD_MANAGER = 'windlass-addons';

/** A refusal names only as many fields as fit into its message; the next attempt reveals the others. */
const MAX_TRIES = 20;

/** Applies the fields of an object that the schema declares, and returns the others. */
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
 * With strategy ApplyOnce an existing object is not changed. Returns the fields that were omitted because the cluster
 * does not know them.
 */
const applyObject = async (
  client: WorkloadClient,
  set: ClusterResourceSet,
  object: ManifestObject,
): Promise<readonly string[]> =>
  set.spec.strategy === 'Reconcile'
    ? applyDeclared(client, object)
    : droppedFields(await client.create(object, FIELD_MANAGER));

const tooManyObjects = (applied: number, all: number): string =>
  `only ${applied} of its ${all} objects were applied in time, and the next pass begins with the first; divide them among several resources of the set if that is repeated`;

/** The result of applying one resource. */
export interface Applied {
  /** Why it is not applied; undefined if it is. */
  problem?: string;
  /** The parts that have no effect. */
  warnings: string[];
}

/**
 * Applies the objects of one resource in order. A refused object does not stop those after it; `isLate` does. Throws
 * WorkloadUnreachableError.
 */
export const applyWork = async (
  client: WorkloadClient,
  set: ClusterResourceSet,
  work: Work,
  isLate: () => boolean,
): Promise<Applied> => {
  const name = nameOf(work.ref);
  if ('fault' in work) return { problem: `${name}: ${work.fault}`, warnings: [] };
  const warnings = [...work.warnings];
  const refusals: Refusal[] = [];
  for (const [index, object] of work.objects.entries()) {
    if (isLate()) return { problem: `${name}: ${tooManyObjects(index, work.objects.length)}`, warnings: [] };
    try {
      const fields = await applyObject(client, set, object);
      if (fields.length > 0) warnings.push(describeUndeclared(work.ref, object, fields));
    } catch (error) {
      if (!(error instanceof WorkloadRefusedError)) throw error;
      refusals.push({ object, error });
    }
  }
  const told = warnings.map((warning) => `${name}: ${warning}`);
  if (refusals.length === 0) return { warnings: told };
  return { problem: `${name}: ${describeRefusals(work.ref, refusals)}`, warnings: told };
};
