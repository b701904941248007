/**
 * The finalizer of an infrastructure object is removed only by the execution that has removed what it stands for. While
 * an execution runs, the object that its steps find may become another one: a user changes a reference, or an earlier
 * attempt of the last step has already removed the first of several objects.
 */
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { MachineLeases } from '../../shared/store/work/work.ts';
import type { MachineRef, ProgressResult } from '../../shared/work/payloads.ts';

/** An execution that has the lease of a Machine or MachinePool. */
export interface LeaseHolder {
  ref: MachineRef;
  holder: string;
}

/**
 * Records that an execution has removed what exists for `infrastructure`, if that is its progress. Returns the progress,
 * so that a provider's step ends with it.
 */
export const withRemoval = async (
  work: Pick<MachineLeases, 'recordRemoval'>,
  { ref, holder }: LeaseHolder,
  infrastructure: KubeObject | null,
  result: ProgressResult,
): Promise<ProgressResult> => {
  const { uid } = infrastructure?.metadata ?? {};
  // Without a lease, another execution has ended the work: this one leaves the rest to the next.
  if (uid && result.progress === 'done') await work.recordRemoval(ref, holder, uid);
  return result;
};

/**
 * Whether `infrastructure` may disappear: it does not have the provider's finalizer, or this execution has removed what
 * exists for it. Undefined `finalizer`: the provider sets none here.
 */
export const isReleasable = async (
  work: Pick<MachineLeases, 'removalBy'>,
  { ref, holder }: LeaseHolder,
  { metadata }: KubeObject,
  finalizer: string | undefined,
): Promise<boolean> => {
  if (finalizer === undefined || !metadata.finalizers?.includes(finalizer)) return true;
  return (await work.removalBy(ref, holder)) === metadata.uid;
};
