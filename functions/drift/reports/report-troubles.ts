import { recordEvent } from '../../../shared/events/record.ts';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import { SUSPICIOUS_SHARE } from '../../../shared/plan/drift/brake.ts';
import { withClaim } from '../../../shared/plan/status/claimed.ts';
import { type ConditionClaim, findCondition, isStated } from '../../../shared/plan/status/conditions.ts';
import { withoutRequestDetails } from '../../../shared/request-details.ts';
import type { Trouble } from '../../bulkheads.ts';
import type { UnreadCluster } from '../../providers/sweep-port.ts';
import { COMPONENT, type DriftDependencies } from '../dependencies.ts';
import type { SweepRun } from '../run.ts';

/** A condition of a Cluster: whether the sweep could not handle some of its objects. False is good. */
export const SWEEP_FAILED = 'windlass.dev/SweepFailed';

/**
 * The reason of this condition if the cloud of the cluster could not be read at all, because of the cluster's own
 * objects.
 */
export const CLOUD_NOT_READ = 'CloudNotRead';

/** Users read the condition; the log has all messages. */
const MOST_MESSAGES = 10;

const claimOf = (own: readonly Trouble[], isUnread: boolean): ConditionClaim => {
  if (own.length === 0) return { type: SWEEP_FAILED, status: 'False', reason: 'ObjectsHandled' };
  const distinct = new Map(own.map(({ message }) => [withoutRequestDetails(message), message]));
  const messages = [...distinct.values()].sort();
  const shown = messages.slice(0, MOST_MESSAGES);
  const rest = messages.length - shown.length;
  const message = [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
  return { type: SWEEP_FAILED, status: 'True', reason: isUnread ? CLOUD_NOT_READ : 'ObjectNotHandled', message };
};

/** Whether so many clusters have trouble that the fault is probably ours and must raise an alarm. */
export const isWidespread = (troubled: number, clusters: number): boolean =>
  troubled > 0 && troubled > clusters * SUSPICIOUS_SHARE;

const unreadTrouble = ({ cluster, infrastructure, why }: UnreadCluster): Trouble => {
  const { kind, metadata } = infrastructure;
  return { cluster, message: `${kind} ${metadata.namespace}/${metadata.name}: find its account: ${why}` };
};

/**
 * Records on each cluster which of its objects could not be handled, or that all could be handled again. Returns the
 * number of clusters with such objects, without those that are `unread`.
 */
export const reportTroubles = async (
  { objects, clock }: DriftDependencies,
  run: SweepRun,
  clusters: readonly Cluster[],
  unread: readonly UnreadCluster[],
): Promise<number> => {
  const troubles = [...run.troubles];
  const byCluster = Map.groupBy([...troubles, ...unread.map(unreadTrouble)], ({ cluster }) => cluster.metadata.uid);
  const isUnread = new Set(unread.map(({ cluster }) => cluster.metadata.uid));
  const concerned = [...troubles, ...unread, ...clusters.map((cluster) => ({ cluster }))];
  const all = [...new Map(concerned.map(({ cluster }) => [cluster.metadata.uid, { cluster }])).values()];
  await run.each('report what the sweep could not handle', all, async ({ cluster }) => {
    const { namespace = '', name, uid } = cluster.metadata;
    const claim = claimOf(byCluster.get(uid) ?? [], isUnread.has(uid));
    const before = findCondition(cluster.status?.conditions, SWEEP_FAILED);
    if (isStated(before, claim)) return;
    if (claim.status === 'False' && !before) return;
    if (claim.status === 'True') {
      const { reason, message = '' } = claim;
      await recordEvent(objects, { regarding: cluster, type: 'Warning', reason, message, component: COMPONENT }, clock);
    }
    await objects.mutate(kinds.cluster, { namespace, name }, (current) =>
      current.metadata.uid === uid ? withClaim(current, claim, clock.now()) : undefined,
    );
  });
  return new Set(troubles.map(({ cluster }) => cluster.metadata.uid)).size;
};
