import type { Cluster } from '../../../../shared/kinds/index.ts';
import { PART_DRIFTED } from '../../../../shared/plan/drift/claims.ts';
import { isBastionLeft } from '../../../../shared/providers/aws/network/bastion/hidden.ts';
import { saysComing } from '../../../../shared/providers/aws/network/conditions.ts';
import type { NetworkPlan } from '../../../../shared/providers/aws/network/model.ts';
import type { NetworkView } from '../../../../shared/providers/aws/network/observe.ts';
import { planNetwork, planWaysOut } from '../../../../shared/providers/aws/network/plan.ts';
import type { Situation } from '../../../../shared/providers/aws/network/situation.ts';
import { type Attention, attentionFor, type PartLook } from '../../../../shared/providers/aws/plan/drift/attention.ts';
import {
  isReportedBy,
  type NetworkPart,
  networkDriftFacts,
} from '../../../../shared/providers/aws/plan/drift/network.ts';
import { unmanagedNews } from '../../../../shared/providers/aws/plan/drift/unmanaged.ts';
import { withholdDrift } from '../../../../shared/providers/aws/plan/drift/withhold.ts';
import type { Bulkheads } from '../../../bulkheads.ts';
import { readSituation } from '../network/situation.ts';
import { type AwsFleet, isLooked, type PlacedAwsCluster } from './accounts.ts';
import type { AwsSweepDependencies } from './dependencies.ts';
import { listNetworks } from './listed-network.ts';

const PLANS: readonly [NetworkPart, (situation: Situation) => NetworkPlan][] = [
  ['network', planNetwork],
  ['natGateways', planWaysOut],
];

const lookOf = (at: PlacedAwsCluster, situation: Situation, [part, plan]: (typeof PLANS)[number]): PartLook => {
  const withheld = withholdDrift(plan(situation), networkDriftFacts(situation.desired, part, at));
  const { problem, coming } = withheld.plan;
  const said = at.awsCluster.status?.conditions?.find(saysComing)?.message;
  const isComingKnown = part !== 'natGateways' || said === coming?.message;
  const drifts = withheld.drifts.filter((drift) => drift.policy !== 'Report' || isReportedBy(part)(drift));
  return { type: PART_DRIFTED[part], drifts, isComingKnown, ...(problem ? { problem } : {}) };
};

const judge = (at: PlacedAwsCluster, situation: Situation): Attention => {
  for (const entry of PLANS) {
    const look = lookOf(at, situation, entry);
    const attention = attentionFor(at, look);
    // A problem that a user must correct first also blocks the second step.
    if (attention !== 'nothing' || look.problem) return attention;
  }
  return unmanagedNews(at.awsCluster, situation) ? 'news' : 'nothing';
};

/** True if a pass over the cluster would find something to do or to report. */
const needsPass = async (
  deps: Pick<AwsSweepDependencies, 'network' | 'clock'>,
  { scope }: AwsFleet,
  at: PlacedAwsCluster,
  views: { listed: NetworkView; close: NetworkView; isClose: boolean },
): Promise<boolean> => {
  if (isBastionLeft(at.awsCluster, deps.clock.now())) return true;
  const { namespace = '', name } = at.cluster.metadata;
  const live = { ...at, name: { namespace, name }, aws: scope };
  const look = async (view: NetworkView) => judge(at, await readSituation(live, view, deps.clock.now()));
  const first = views.isClose ? 'news' : await look(views.listed);
  // A listing does not contain everything that a cluster may have reported.
  return first === 'news' ? (await look(views.close)) !== 'nothing' : first === 'repair';
};

/** The format of AWS's ids. An invalid id would make the listing of the complete region fail. */
const VPC_ID = /^vpc-[0-9a-f]{1,17}$/;

/**
 * The clusters of a fleet whose networks were changed outside Windlass; those of `turn` are checked in detail. Throws
 * EC2's errors.
 */
export const networkDrift = async (
  deps: Pick<AwsSweepDependencies, 'network' | 'clock'>,
  fleet: AwsFleet,
  turn: ReadonlySet<string>,
  run: Bulkheads,
): Promise<Cluster[]> => {
  const clusters = fleet.clusters.filter((at) => isLooked(at, 'network'));
  const vpcIds = clusters
    .flatMap(({ awsCluster }) => awsCluster.spec.network?.vpc?.id ?? [])
    .filter((id) => VPC_ID.test(id));
  if (vpcIds.length === 0) return [];
  const ec2 = deps.network(fleet.scope);
  const names = fleet.isPart ? [...new Set(clusters.map(({ cluster }) => cluster.metadata.name))] : undefined;
  const listed = await listNetworks(ec2, [...new Set(vpcIds)], names);
  const close = { ...listed, describeVpcDns: ec2.describeVpcDns };
  const found = await run.each('compare its network', clusters, async (at) =>
    (await needsPass(deps, fleet, at, { listed, close, isClose: turn.has(at.cluster.metadata.uid ?? '') }))
      ? [at.cluster]
      : [],
  );
  return found.flat();
};
