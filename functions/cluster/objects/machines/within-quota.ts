import type { EventRecorder } from '../../../../shared/events/recorder.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { isOverQuota, quotaReason } from '../../../../shared/kube-api/quota/refusal.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';

export interface WithinQuota<T> {
  made: T[];
  /** The message of the first refusal, if not all were created. */
  refused?: string;
}

/**
 * Creates as many of `items` as the namespace's quotas allow, `concurrency` at a time. A refusal because of a quota
 * does not fail the pass: it continues with the rest of the cluster, and the next pass tries again. Any other error is
 * thrown.
 */
export const makeWithinQuota = async <I, T>(
  items: readonly I[],
  make: (item: I) => Promise<T>,
  concurrency = items.length,
): Promise<WithinQuota<T>> => {
  const outcomes = await mapConcurrently(items, concurrency, (item) =>
    make(item).then(
      (made) => ({ made }),
      (error: unknown) => {
        if (!isOverQuota(error)) throw error;
        return { refused: quotaReason(error) };
      },
    ),
  );
  return {
    made: outcomes.flatMap((outcome) => ('made' in outcome ? [outcome.made] : [])),
    refused: outcomes.flatMap((outcome) => ('refused' in outcome ? [outcome.refused] : []))[0],
  };
};

/** A message for users. `refused`: the first refusal. */
export const refusalMessage = (refused: string): string =>
  `Not all machines can be created: ${refused}; raise the quota or delete unneeded objects`;

/** Records on the owner of the machines why there are fewer than desired; nothing if nothing was refused. */
export const recordRefusal = async (
  recorder: EventRecorder<never, 'FailedCreate'>,
  owner: KubeObject,
  refused: string | undefined,
): Promise<void> => {
  if (refused === undefined) return;
  await recorder.warning(owner, 'FailedCreate', refusalMessage(refused));
};
