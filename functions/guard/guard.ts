import { describeError } from '../../shared/decode/describe-error.ts';
import type { Cluster } from '../../shared/kinds/index.ts';
import type { Log } from '../../shared/log.ts';

/**
 * The requests that CloudFormation sends for a custom resource, and the one that an operator sends before deleting the
 * stack.
 */
export type GuardEvent = LifecycleEvent | { RequestType: 'Count' };

export interface LifecycleEvent {
  RequestType: 'Create' | 'Update' | 'Delete';
  /** The address for the response; anyone who has it can respond, so it is never logged. */
  ResponseURL: string;
  StackId: string;
  RequestId: string;
  LogicalResourceId: string;
  PhysicalResourceId?: string;
  ResourceProperties: Readonly<Record<string, unknown>>;
}

export interface Remaining {
  /** `namespace/name` of each Cluster object. */
  clusters: string[];
}

export interface GuardDependencies {
  listClusters(): Promise<Cluster[]>;
  /** Sends the response of a custom resource. */
  put(url: string, body: string): Promise<void>;
  log: Log;
}

/**
 * This id never changes, so that CloudFormation never treats an update as a replacement and deletes the old resource.
 */
const PHYSICAL_ID = 'windlass-guard';

/** CloudFormation accepts a response of 4 KB. */
const NAMES_IN_REASON = 10;

const remaining = async ({ listClusters }: GuardDependencies): Promise<Remaining> => ({
  clusters: (await listClusters()).map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`).sort(),
});

const WAYS_ON =
  'Delete them first. To leave them running unmanaged, first deploy with -c destroyWithClusters=true, or delete the stack again and retain the resource of type Custom::WindlassGuard. Everything continues to run until then';

const refusal = (clusters: readonly string[]): string => {
  const named = clusters.slice(0, NAMES_IN_REASON).join(', ');
  const more = clusters.length > NAMES_IN_REASON ? ` and ${clusters.length - NAMES_IN_REASON} more` : '';
  return `There are ${clusters.length} clusters: ${named}${more}. ${WAYS_ON}`;
};

/**
 * The reason why the stack must not be deleted; undefined if it may be. If the clusters cannot be counted, it must not
 * be deleted.
 */
const reasonAgainst = async (deps: GuardDependencies, event: LifecycleEvent): Promise<string | undefined> => {
  if (event.RequestType !== 'Delete' || event.ResourceProperties.destroyWithClusters === 'true') return undefined;
  try {
    const { clusters } = await remaining(deps);
    return clusters.length > 0 ? refusal(clusters) : undefined;
  } catch (error) {
    deps.log.error('the clusters could not be counted', describeError(error));
    return `The clusters could not be counted (${error instanceof Error ? error.name : 'unknown'}), so there may be some. ${WAYS_ON}`;
  }
};

/**
 * Prevents the deletion of the stack while Cluster objects exist. The guard is deleted before everything else, so the
 * stack is complete after a refusal. Throws if the response cannot be sent: Lambda retries.
 */
export const makeGuard =
  (deps: GuardDependencies) =>
  async (event: GuardEvent): Promise<Remaining | undefined> => {
    if (event.RequestType === 'Count') return remaining(deps);
    const reason = await reasonAgainst(deps, event);
    const { StackId, RequestId, LogicalResourceId, PhysicalResourceId = PHYSICAL_ID } = event;
    const answer = { Status: reason === undefined ? 'SUCCESS' : 'FAILED', Reason: reason };
    await deps.put(
      event.ResponseURL,
      JSON.stringify({ ...answer, StackId, RequestId, LogicalResourceId, PhysicalResourceId }),
    );
    deps.log.info('answered CloudFormation', { request: event.RequestType, status: answer.Status });
    return undefined;
  };
