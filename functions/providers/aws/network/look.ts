import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import type { Drift } from '../../../../shared/plan/drift/claims.ts';
import type { Ec2Network } from '../../../../shared/providers/aws/network/api.ts';
import { turnOf } from '../../../../shared/providers/aws/network/intents.ts';
import type { NetworkAction, NetworkPlan } from '../../../../shared/providers/aws/network/model.ts';
import type { Situation } from '../../../../shared/providers/aws/network/situation.ts';
import { chooseVpc } from '../../../../shared/providers/aws/network/vpc/choose.ts';
import { withVpcId } from '../../../../shared/providers/aws/network/vpc/record.ts';
import { type NetworkPart, networkDriftFacts } from '../../../../shared/providers/aws/plan/drift/network.ts';
import { type Withheld, withholdDrift } from '../../../../shared/providers/aws/plan/drift/withhold.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { act } from '../infrastructure/act.ts';
import { adoptDrift, recordRepair } from '../infrastructure/note-drift.ts';
import { isComing, rememberingWhatIsWell } from '../infrastructure/remember.ts';
import { type InfrastructureScope, readLiveScope } from '../infrastructure/scope.ts';
import { type Settled, settle } from '../infrastructure/settle.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { recordIntents, takeBackIntents } from './intend.ts';
import { ec2Actor } from './perform.ts';
import { recorder } from './reasons.ts';
import { readSituation } from './situation.ts';

/** A situation with the objects and the client with which it was observed. */
export interface NetworkLook extends Situation {
  scope: InfrastructureScope & { awsCluster: AWSCluster };
  ec2: Ec2Network;
  /** The pass in which it was read; empty if a later pass may use the result as well. */
  pass: string;
}

type Pass = Pick<ConvergeInput, 'cluster' | 'holder'>;

/**
 * Records the VPC that was found, if none is recorded: from then on it is the cluster's VPC, whatever else is found.
 */
const recordVpc = async ({ objects }: NetworkDependencies, look: NetworkLook): Promise<NetworkLook> => {
  const { desired, observed, scope } = look;
  const choice = chooseVpc(desired, observed.vpcs);
  if (choice.state !== 'ours' || desired.vpc.recordedId !== undefined) return look;
  const stored = await objects.mutate(kinds.awsCluster, scope.key, (current) => withVpcId(current, choice.vpc.id));
  const recordedId = stored?.spec.network?.vpc?.id;
  return { ...look, desired: { ...desired, vpc: { ...desired.vpc, recordedId } } };
};

const look = async (
  deps: NetworkDependencies,
  { cluster: ref, holder }: Pass,
  isAnew: (scope: NetworkLook['scope']) => boolean,
): Promise<NetworkLook | undefined> => {
  const scope = await readLiveScope(deps, ref);
  if (!scope) return undefined;
  if (isAnew(scope)) deps.networkCache.forget(ref.uid);
  const pass = isComing(scope.cluster) ? '' : holder;
  const turn = `${turnOf(scope.awsCluster.metadata.annotations)} ${pass}`;
  const ec2 = deps.networkCache.of(ref.uid, turn, deps.ec2(scope.aws));
  const startedAt = deps.clock.now();
  const situation = await readSituation(scope, ec2, startedAt);
  // An answer from the cache may have been read before an intent expired.
  const cachedAt = deps.networkCache.oldestAt(ref.uid);
  const now = cachedAt && cachedAt < startedAt ? cachedAt : startedAt;
  return recordVpc(deps, { scope, ec2, pass, ...situation, now });
};

const actOn = async (deps: NetworkDependencies, look: NetworkLook, plan: NetworkPlan) => {
  const { scope, ec2 } = look;
  const actions = await recordIntents(deps, look, plan.actions);
  const outcomes = await act(ec2Actor(deps, ec2, scope.awsCluster), actions);
  await takeBackIntents(deps, scope.key, outcomes);
  return outcomes;
};

/**
 * The result of a run, and the outside changes that it did not correct because the cluster's policies only report them.
 */
export type SettledNetwork = Settled<NetworkLook, NetworkAction, NetworkPlan> & { drifts: readonly Drift[] };

/** Applies the part of the network that `plan` covers, as far as EC2 allows. See settle.ts. */
export const settleNetwork = async (
  deps: NetworkDependencies,
  pass: Pass,
  { part, plan }: { part: NetworkPart; plan: (situation: Situation) => NetworkPlan },
): Promise<SettledNetwork | undefined> => {
  let found: Pick<Withheld<NetworkPlan>, 'drifts' | 'adoptions'> = { drifts: [], adoptions: [] };
  let looks = 0;
  const run = () =>
    settle<NetworkLook, NetworkAction, NetworkPlan>({
      look: (isIdle) => {
        looks += 1;
        // The second step of a pass uses what the first has read.
        const isStart = looks === 1 && part === 'network';
        return look(deps, pass, ({ cluster }) => isIdle || (isStart && !isComing(cluster)));
      },
      plan: (situation) => {
        const withheld = withholdDrift(plan(situation), networkDriftFacts(situation.desired, part, situation.scope));
        found = withheld;
        return withheld.plan;
      },
      act: async (situation, next) => {
        await recordRepair(recorder(deps), situation.scope.awsCluster, found.drifts);
        return actOn(deps, situation, next);
      },
      clock: deps.clock,
    });
  const settled = await rememberingWhatIsWell(deps.networkCache, pass.cluster.uid, run);
  if (settled) await adoptDrift(deps, recorder(deps), settled.situation.scope, found);
  return settled && { ...settled, drifts: found.drifts };
};
