import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { type Drift, type DriftCondition, driftClaim } from '../../../../plan/drift/claims.ts';
import { findCondition } from '../../../../plan/status/conditions.ts';

/** What a look at a part of a cluster's infrastructure came to. */
export interface PartLook {
  /** Where the cluster says what it leaves as others have changed it. */
  type: DriftCondition;
  drifts: readonly Drift[];
  /** What a person has to correct, and the condition of the AWSCluster that says so. */
  problem?: { condition: string; message: string };
  /** Whether the AWSCluster says of something that AWS is still making it, as it was seen now. */
  isComingKnown?: boolean;
}

/**
 * What a look asks for. `repair`: a pass would change something. `news`: a pass would say something else than the
 * cluster's conditions do. `nothing`: all is as it is known.
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
    ({ type, message }) => type === problem.condition && message === problem.message,
  ) === true;

/** Whether a cluster needs a pass for what was seen of a part of it. */
export const attentionFor = (objects: { cluster: Cluster; awsCluster: AWSCluster }, look: PartLook): Attention => {
  // Where a person has to act first, nothing is repaired.
  if (!look.problem && look.drifts.some(({ policy }) => policy !== 'Report')) return 'repair';
  const { isComingKnown = true } = look;
  return isKnown(objects, look) && isKnownProblem(objects, look) && isComingKnown ? 'nothing' : 'news';
};
