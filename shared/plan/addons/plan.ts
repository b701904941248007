import type { ClusterResourceSet } from '../../kinds/index.ts';
import { type ResourceRecord, recordOf } from './binding.ts';
import type { Fault } from './faults.ts';
import { ManifestError, type ManifestObject, parseManifests } from './manifests.ts';
import { hashOf, isWrongSecret, nameOf, type ResourceRef, type Source, valuesOf } from './source.ts';

/** One ConfigMap or Secret whose objects are to be applied now, or whose contents cannot be applied. */
export type Work =
  | { ref: ResourceRef; hash: string; objects: readonly ManifestObject[]; warnings: readonly string[] }
  | { ref: ResourceRef; fault: string };

export interface SetPlan {
  work: readonly Work[];
  /** Faults that block the complete set, or single resources before any attempt. */
  faults: readonly Fault[];
}

/**
 * The parts of a set that are to be applied to one cluster. `applied` is the binding's record of the set. A Secret of
 * another type stops the whole set; a resource that does not exist (yet) is skipped.
 */
export const planSet = (
  set: ClusterResourceSet,
  sources: readonly Source[],
  applied: readonly ResourceRecord[],
): SetPlan => {
  const wrong = sources.filter(isWrongSecret);
  if (wrong.length > 0) {
    const message = `the type of ${listOf(wrong)} is not addons.cluster.x-k8s.io/resource-set`;
    return { work: [], faults: [{ reason: 'WrongSecretType', message }] };
  }
  const missing = sources.filter(({ object }) => object === undefined);
  const present = sources.filter(({ object }) => object !== undefined);
  return {
    work: present.flatMap((source) => workOf(set, source, recordOf(applied, source.ref)) ?? []),
    faults:
      missing.length > 0
        ? [
            {
              reason: 'RetrievingResourceFailed',
              message: `${listOf(missing)} ${missing.length > 1 ? 'do' : 'does'} not exist`,
            },
          ]
        : [],
  };
};

const listOf = (sources: readonly Source[]): string => sources.map(({ ref }) => nameOf(ref)).join(', ');

/** ApplyOnce is done after one successful apply; Reconcile starts again when the contents change. */
const isDone = (set: ClusterResourceSet, record: ResourceRecord | undefined, hash: string): boolean =>
  record?.applied === true && (set.spec.strategy !== 'Reconcile' || record.hash === hash);

const workOf = (set: ClusterResourceSet, source: Source, record: ResourceRecord | undefined): Work | undefined => {
  const { ref } = source;
  const values = valuesOf(source);
  if (!values) return { ref, fault: 'it has no data' };
  const hash = hashOf(values);
  if (isDone(set, record, hash)) return undefined;
  try {
    const texts = new Map([...values].map(([key, value]) => [key, value.toString('utf8')]));
    return { ref, hash, ...parseManifests(texts) };
  } catch (error) {
    if (error instanceof ManifestError) return { ref, fault: error.message };
    throw error;
  }
};

/** Whether everything that the set names is applied in its current form, according to a binding. */
export const isComplete = (
  set: ClusterResourceSet,
  sources: readonly Source[],
  applied: readonly ResourceRecord[],
): boolean =>
  sources.every((source) => {
    const values = valuesOf(source);
    return values !== undefined && !isWrongSecret(source) && isDone(set, recordOf(applied, source.ref), hashOf(values));
  });
