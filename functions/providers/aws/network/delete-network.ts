import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { withoutFinalizer } from '../../../../shared/kube-api/registry/finalizers.ts';
import { isOverdue } from '../../../../shared/plan/machines/waiting.ts';
import { withLegacyConditions } from '../../../../shared/plan/status/legacy-conditions.ts';
import { AWS_FINALIZER } from '../../../../shared/providers/aws/finalizers.ts';
import { readBastionLaunch } from '../../../../shared/providers/aws/network/bastion/launch.ts';
import { observeBastions } from '../../../../shared/providers/aws/network/bastion/observe.ts';
import { DELETION_PATIENCE_SECONDS, deletionClaims } from '../../../../shared/providers/aws/network/conditions.ts';
import { readIntents } from '../../../../shared/providers/aws/network/intents.ts';
import type { ObservedNetwork } from '../../../../shared/providers/aws/network/model.ts';
import { observeNetwork } from '../../../../shared/providers/aws/network/observe.ts';
import { ownPart } from '../../../../shared/providers/aws/network/own-part.ts';
import { type DeletionPlan, planDeletion } from '../../../../shared/providers/aws/network/take-down.ts';
import { isVpcDeletable } from '../../../../shared/providers/aws/plan/drift/vpc-ownership.ts';
import type { ConvergeInput, DoneResult } from '../../../../shared/work/payloads.ts';
import { collectSecurityGroups } from '../garbage/security-groups.ts';
import { collectVolumes } from '../garbage/volumes.ts';
import { act, failuresOf, type Outcome } from '../infrastructure/act.ts';
import { type InfrastructureScope, isHeld, readScope } from '../infrastructure/scope.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { ec2Actor } from './perform.ts';
import { recorder } from './reasons.ts';

/**
 * The deepest chain (rules, group, subnet, gateway, VPC) needs fewer rounds; the next pass handles what takes longer.
 */
const MAX_ROUNDS = 12;
const MAX_IDLE_ROUNDS = 2;
const IDLE_MILLISECONDS = 500;

interface Progress {
  plan: DeletionPlan;
  observed: ObservedNetwork;
  /** EC2's answers to the failed actions of the last round. */
  refusals: readonly string[];
}

const lookAndPlan = async (deps: NetworkDependencies, scope: InfrastructureScope) => {
  const { name, awsCluster } = scope;
  const ec2 = deps.ec2(scope.aws);
  const recordedVpcId = awsCluster?.spec.network?.vpc?.id;
  const spec = awsCluster?.spec;
  const isRecordedOwn = isVpcDeletable(scope);
  // Before the read: resources that may still appear are waited for, however long the read takes.
  const now = deps.clock.now();
  const [seen, bastions] = await Promise.all([
    observeNetwork(ec2, { cluster: name, recordedVpcId, isRecordedOwn, purpose: 'deletion', spec }),
    observeBastions(ec2, name),
  ]);
  const observed = { ...seen, bastions };
  const bastion = readBastionLaunch(awsCluster);
  const intents = { ...readIntents(awsCluster?.metadata.annotations), ...(bastion ? { bastion: bastion.token } : {}) };
  const plan = planDeletion({ cluster: name, observed, intents, now });
  return { ec2, observed: ownPart(name, observed), plan };
};

const refusalsOf = (outcomes: readonly Outcome[]): string[] =>
  outcomes.filter(({ verdict }) => verdict !== 'done').map(({ message }) => message);

/** Deletes in rounds until nothing is left or there is no more progress. */
const takeDown = async (deps: NetworkDependencies, scope: InfrastructureScope): Promise<Progress> => {
  const regarding: KubeObject = scope.awsCluster ?? scope.cluster;
  let progress: Progress | undefined;
  let idle = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { ec2, observed, plan } = await lookAndPlan(deps, scope);
    const hasChanged = JSON.stringify(plan.actions) !== JSON.stringify(progress?.plan.actions ?? []);
    progress = { plan, observed, refusals: progress?.refusals ?? [] };
    if (plan.actions.length === 0) return { ...progress, refusals: [] };
    idle = hasChanged ? 0 : idle + 1;
    if (idle > MAX_IDLE_ROUNDS) return progress;
    if (idle > 0) await deps.clock.sleep(IDLE_MILLISECONDS * idle);

    const outcomes = await act(ec2Actor(deps, ec2, regarding), plan.actions);
    failuresOf(outcomes);
    progress = { plan, observed, refusals: refusalsOf(outcomes) };
  }
  return progress ?? { ...(await lookAndPlan(deps, scope)), refusals: [] };
};

/** Reports what blocks the deletion; after a quarter of an hour also with a warning. */
const reportBlockers = async (deps: NetworkDependencies, scope: InfrastructureScope, progress: Progress) => {
  const { objects, clock } = deps;
  const { observed, plan, refusals } = progress;
  const since = scope.cluster.metadata.deletionTimestamp;
  const isLate = isOverdue(since, DELETION_PATIENCE_SECONDS, clock.now());
  const blockers = [...plan.blockers, ...refusals];
  const claims = deletionClaims(observed, blockers, isLate);
  const awsCluster = await objects.mutate(kinds.awsCluster, scope.key, (current) =>
    withLegacyConditions(current, claims, clock.now()),
  );
  if (!isLate || blockers.length === 0) return;
  const message = `The network cannot be deleted because of ${blockers.join('; ')}`;
  await recorder({ objects, clock }).warning(awsCluster ?? scope.cluster, 'DeletingFailed', message);
};

const letGo = async ({ objects }: Pick<NetworkDependencies, 'objects'>, awsCluster: AWSCluster) => {
  await objects.mutate(kinds.awsCluster, awsCluster, withoutFinalizer(AWS_FINALIZER.cluster));
};

/** Releases an AWSCluster for which nothing was ever created, and says why AWS was not called. */
export const letGoUntouched =
  (deps: Pick<NetworkDependencies, 'objects' | 'clock'>) =>
  async (awsCluster: AWSCluster, { message: why }: Error): Promise<void> => {
    const message = `Deleted without calls to AWS, because nothing was ever created there: the identity has never worked (${why})`;
    await recorder(deps).normal(awsCluster, 'DeletedWithoutAWS', message);
    await letGo(deps, awsCluster);
  };

/**
 * Deletes the rest of a cluster's network, from any state, and releases the AWSCluster when nothing is left. If not
 * done, the conditions report what takes time or blocks the deletion. Throws an Error for a cluster that is not being
 * deleted.
 */
export const deleteNetwork =
  (deps: NetworkDependencies) =>
  async ({ cluster: ref }: ConvergeInput): Promise<DoneResult> => {
    const scope = await readScope(deps, ref);
    if (!scope) return { done: true };
    if (isHeld(scope)) return { done: false };
    if (!scope.cluster.metadata.deletionTimestamp) {
      throw new Error(`Cluster ${ref.namespace}/${ref.name} is not being deleted: its network stays`);
    }
    await collectSecurityGroups(deps, scope);
    const progress = await takeDown(deps, scope);
    if (!progress.plan.isDone) {
      await reportBlockers(deps, scope, progress);
      return { done: false };
    }
    const late = await collectVolumes(deps, scope);
    if (late.length > 0) {
      await reportBlockers(deps, scope, { ...progress, refusals: late });
      return { done: false };
    }
    if (scope.awsCluster) await letGo(deps, scope.awsCluster);
    return { done: true };
  };
