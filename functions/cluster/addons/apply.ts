import type { ClusterResourceSet } from '../../../shared/kinds/index.ts';
import type { Progress } from '../../../shared/plan/addons/faults.ts';
import type { ManifestObject } from '../../../shared/plan/addons/manifests.ts';
import type { Work } from '../../../shared/plan/addons/plan.ts';
import { describeRefusals, describeUndeclared, type Refusal } from '../../../shared/plan/addons/refusals.ts';
import { nameOf } from '../../../shared/plan/addons/source.ts';
import { droppedFields, withoutUndeclared } from '../../../shared/plan/addons/undeclared.ts';
import { type WorkloadClient, WorkloadRefusedError } from '../../../shared/workload/client.ts';

/** The field manager that owns the applied fields in the workload cluster. */
const FIELD_MANAGER = 'windlass-addons';

/** A refusal names only as many fields as fit into its message; the next attempt reveals the others. */
const MAX_TRIES = 20;

/**
 * Server-side apply refuses a list in which two items have the same key, such as an environment with the same variable
 * twice. Creating or patching the same object is accepted, with a warning. The wording is that of
 * structured-merge-diff.
 */
const HAS_DUPLICATES = /: duplicate entries for key \[/;

/**
 * Applies the fields of an object that the schema declares, and returns the others. Fields that server-side apply
 * cannot merge are set by a merge patch, as upstream does.
 */
const applyDeclared = async (client: WorkloadClient, object: ManifestObject): Promise<string[]> => {
  const undeclared: string[] = [];
  let rest = object;
  for (let tries = 1; ; tries += 1) {
    try {
      await client.apply(rest, FIELD_MANAGER);
      return undeclared;
    } catch (error) {
      if (!(error instanceof WorkloadRefusedError)) throw error;
      const without = withoutUndeclared(rest, error.words);
      if (!without && HAS_DUPLICATES.test(error.words)) {
        await client.merge(rest, FIELD_MANAGER);
        return undeclared;
      }
      if (!without || tries === MAX_TRIES) throw error;
      rest = without.object;
      undeclared.push(...without.fields);
    }
  }
};

/**
 * With the strategy ApplyOnce, an existing object is not changed. Returns the fields that were omitted because the
 * cluster does not know them.
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
  `only ${applied} of its ${all} objects were applied in time, and the next pass applies the rest`;

const REFUSED_BEFORE = 'some of its objects were refused by an earlier pass, and are tried again after the others';

/** The result of applying one resource. */
export interface Applied {
  /** The reason why it is not applied; undefined if it is. */
  problem?: string;
  /** Set if there was no time for all objects. */
  progress?: Progress;
  /** The parts that have no effect. */
  warnings: string[];
}

/** Whether an earlier pass has applied a part of this resource with the same contents. */
export const isProgressOf = (progress: Progress | undefined, work: Work): boolean =>
  progress !== undefined &&
  'hash' in work &&
  progress.kind === work.ref.kind &&
  progress.name === work.ref.name &&
  progress.hash === work.hash &&
  progress.done < work.objects.length;

/** The results of the objects that were tried. */
interface Tried {
  warnings: string[];
  refusals: Refusal[];
}

const tryObject = async (
  client: WorkloadClient,
  set: ClusterResourceSet,
  { ref }: Work,
  object: ManifestObject,
  { warnings, refusals }: Tried,
): Promise<void> => {
  try {
    const fields = await applyObject(client, set, object);
    if (fields.length > 0) warnings.push(describeUndeclared(ref, object, fields));
  } catch (error) {
    if (!(error instanceof WorkloadRefusedError)) throw error;
    refusals.push({ object, error });
  }
};

/**
 * Applies the remaining objects of one resource, in order. A refused object does not stop those after it, but `isLate`
 * does. Throws WorkloadUnreachableError.
 */
export const applyWork = async (
  client: WorkloadClient,
  set: ClusterResourceSet,
  work: Work,
  { before, isLate }: { before?: Progress | undefined; isLate(): boolean },
): Promise<Applied> => {
  const { ref } = work;
  const name = nameOf(ref);
  if ('fault' in work) return { problem: `${name}: ${work.fault}`, warnings: [] };
  const { hash, objects } = work;
  const from = isProgressOf(before, work) ? before : undefined;
  const tried: Tried = { warnings: [...work.warnings], refusals: [] };
  const problems = from?.refused ? [REFUSED_BEFORE] : [];
  let progress: Progress | undefined;
  for (let done = from?.done ?? 0; done < objects.length && !progress; done += 1) {
    const object = objects[done] as ManifestObject;
    if (!isLate()) await tryObject(client, set, work, object, tried);
    else
      progress = { kind: ref.kind, name: ref.name, hash, done, refused: problems.length + tried.refusals.length > 0 };
  }
  if (progress) problems.unshift(tooManyObjects(progress.done, objects.length));
  else if (tried.refusals.length > 0) problems.unshift(describeRefusals(ref, tried.refusals));
  return {
    ...(problems.length > 0 ? { problem: `${name}: ${problems.join('; ')}` } : {}),
    ...(progress ? { progress } : {}),
    warnings: tried.warnings.map((warning) => `${name}: ${warning}`),
  };
};
