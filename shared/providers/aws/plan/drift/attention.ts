import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { type Drift, type DriftCondition, driftClaim } from '../../../../plan/drift/claims.ts';
import { findCondition } from '../../../../plan/status/conditions.ts';
import { saySame } from '../../../../request-details.ts';

/** The result of checking a part of a cluster's infrastructure. */
export interface PartLook {
  /** The condition in which the cluster reports changes by others that it keeps. */
  type: DriftCondition;
  drifts: readonly Drift[];
  /** What a user must correct, and the condition of the AWSCluster that reports it. */
  problem?: { condition: string; message: string };
  /** Whether the AWSCluster already reports that AWS is still creating a resource, as it was just observed. */
  isComingKnown?: boolean;
}

/**
 * The consequence of a check. `repair`: a pass would change something. `news`: a pass would change the cluster's
 * conditions. `nothing`: everything is as recorded.
 */
export type Attention = 'repair' | 'news' | 'nothing';

const isKnown = ({ cluster }: { cluster: Cluster }, { type, drifts }: PartLook): boolean => {
  const said = findCondition(cluster.status?.conditions, type);
  const reported = drifts.filter(({ policy }) => policy === 'Report');
  if (reported.length === 0) return said?.status !== 'True';
  return said?.status === 'True' && said.message === driftClaim(reported, type).message;
};

const isKnownProblem = ({ awsCluster }: { awsCluster: AWSCluster }, { problem }: PartLook): boolean =>
  !problem ||
  awsCluster.status?.conditions?.some(
    ({ type, message }) => type === problem.condition && saySame(message, problem.message),
  ) === true;

/** Whether a cluster needs a pass because of what was observed about a part of it. */
export const attentionFor = (objects: { cluster: Cluster; awsCluster: AWSCluster }, look: PartLook): Attention => {
  // If a user must act first, nothing is repaired.
  if (!look.problem && look.drifts.some(({ policy }) => policy !== 'Report')) return 'repair';
  const { isComingKnown = true } = look;
  return isKnown(objects, look) && isKnownProblem(objects, look) && isComingKnown ? 'nothing' : 'news';
};
