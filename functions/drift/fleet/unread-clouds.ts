/**
 * Clusters whose cloud cannot be read because of their own objects. No object changes when a role is revoked in the
 * cloud or works again, so the sweep is the first to notice.
 */
import type { Cluster } from '../../../shared/kinds/index.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import type { UnreadCluster } from '../../providers/sweep-port.ts';
import { CLOUD_NOT_READ, SWEEP_FAILED } from '../reports/report-troubles.ts';
import type { Observation } from './observe.ts';

/** Whether the last sweep of the cluster could not read its cloud, and reported this. */
const wasUnread = ({ status }: Cluster): boolean => {
  const known = findCondition(status?.conditions, SWEEP_FAILED);
  return known?.status === 'True' && known.reason === CLOUD_NOT_READ;
};

export const unreadOf = ({ unread }: Pick<Observation, 'unread'>): UnreadCluster[] =>
  unread.flatMap(({ clusters }) => clusters);

/**
 * The clusters whose pass has something new to report: that their cloud cannot be read, unless their objects already
 * say so, or that it can be read again, unless a pass after a user's change has already said so. Each is returned once:
 * a pass may still be refused, or may never have been, if only the role of the sweep is concerned.
 */
export const unreadNews = (observation: Pick<Observation, 'parts' | 'unread'>): Cluster[] => {
  const lost = unreadOf(observation).filter(({ cluster, isReported }) => !isReported && !wasUnread(cluster));
  const back = observation.parts.flatMap(({ clusters, sight }) =>
    clusters.filter((at) => wasUnread(at.cluster) && sight.reportsUnread?.(at) === true),
  );
  return [...lost, ...back].map(({ cluster }) => cluster);
};
