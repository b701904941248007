import { describeAwsError, isPermanent } from '../../../../shared/aws/errors.ts';
import type { Clock } from '../../../../shared/clock.ts';
import { RefusedError, TransientError } from '../../../../shared/errors.ts';
import { type AWSCluster, type AWSMachine, kinds } from '../../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { type LegacyClaim, withLegacyCondition } from '../../../../shared/plan/status/legacy-conditions.ts';
import type { Targets } from '../../../../shared/providers/aws/api/elbv2-targets.ts';
import { loadBalancerName } from '../../../../shared/providers/aws/load-balancer/names.ts';
import { BALANCER_ROLES, balancerSpecOf } from '../../../../shared/providers/aws/load-balancer/roles.ts';
import {
  attachedClaim,
  detachFailedClaim,
  hasLoadBalancer,
  wasAttached,
} from '../../../../shared/providers/aws/plan/launch/target.ts';
import { groupOwnership } from '../../../../shared/providers/aws/plan/ownership/balancing.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import type { MachineInput, MachineRef } from '../../../../shared/work/payloads.ts';
import type { StepTable } from '../../../step.ts';
import type { ScopeOf } from '../aws-scope.ts';
import { reportRefusal } from '../instance/report-removal.ts';
import { type AwsMachineSnapshot, readAwsMachine } from '../read-machine.ts';
import { recorder } from './reasons.ts';

/** The dependencies of the target steps of a machine. */
export interface TargetDependencies {
  objects: ObjectClient;
  scopeOf: ScopeOf;
  targets: PerScope<Targets>;
  classicTargets: PerScope<Targets>;
  clock: Clock;
}

interface Membership {
  cluster: ClusterName;
  /** The field of the load balancer in the spec of the AWSCluster. */
  field: string;
  loadBalancer: string;
  /** Whether the spec gives the name. */
  isNamed: boolean;
  targets: Targets;
}

const FIELDS = {
  primary: 'spec.controlPlaneLoadBalancer.name',
  secondary: 'spec.secondaryControlPlaneLoadBalancer.name',
} as const;

/** The API's load balancers, each with the client that registers instances. */
const membershipsOf = async (
  deps: TargetDependencies,
  awsCluster: AWSCluster,
  { namespace, clusterName }: MachineRef,
): Promise<Membership[]> => {
  const scope = await deps.scopeOf(awsCluster);
  return BALANCER_ROLES.flatMap((role) => {
    const spec = balancerSpecOf(awsCluster, role);
    if (!spec) return [];
    const cluster = { namespace, name: clusterName };
    const loadBalancer = loadBalancerName(cluster, awsCluster, role);
    const port = spec.loadBalancerType === 'classic' ? deps.classicTargets : deps.targets;
    return [{ cluster, field: FIELDS[role], loadBalancer, isNamed: spec.name !== undefined, targets: port(scope) }];
  });
};

/** The target groups behind the load balancer, grouped by owner. */
const groupsBy = async ({ cluster, loadBalancer, isNamed, targets }: Membership) =>
  Map.groupBy(await targets.groupsOf(loadBalancer), (group) => groupOwnership(cluster, group, isNamed));

/**
 * Throws TransientError as long as the load balancer has no target group that is marked as the cluster's, or the
 * instance does not run; throws RefusedError if the load balancer belongs to another cluster.
 */
const enter = async (membership: Membership, instanceId: string): Promise<void> => {
  const { field, loadBalancer, targets } = membership;
  const by = await groupsBy(membership);
  const groups = [...(by.get('ours') ?? []), ...(by.get('users') ?? [])];
  if (by.has('foreign') && groups.length === 0)
    throw new RefusedError(`${field}: load balancer ${loadBalancer} belongs to another cluster`);
  if (by.has('unmarked'))
    throw new TransientError(`load balancer ${loadBalancer} is not marked as one of this cluster yet`);
  if (groups.length === 0) throw new TransientError(`load balancer ${loadBalancer} has no target group yet`);
  const registered = await Promise.all(groups.map((group) => targets.register(group, instanceId)));
  if (registered.includes(false)) throw new TransientError(`instance ${instanceId} does not run yet`);
};

/** Does not change the groups of other owners. */
const leave = async (membership: Membership, instanceId: string): Promise<void> => {
  const by = await groupsBy(membership);
  const groups = [...(by.get('ours') ?? []), ...(by.get('users') ?? [])];
  await Promise.all(groups.map((group) => membership.targets.deregister(group, instanceId)));
};

const namesOf = (memberships: readonly Membership[]): string =>
  memberships.map(({ loadBalancer }) => loadBalancer).join(' and ');

const attached = ({ awsMachine }: AwsMachineSnapshot): boolean => (awsMachine ? wasAttached(awsMachine) : false);

const isUsers = (error: unknown): boolean => error instanceof RefusedError || isPermanent(error);

const write = async ({ objects, clock }: TargetDependencies, { metadata }: AWSMachine, claim: LegacyClaim) => {
  const { namespace = '', name } = metadata;
  await objects.mutate(kinds.awsMachine, { namespace, name }, (current) =>
    withLegacyCondition(current, claim, clock.now()),
  );
};

/** An error that only a user can correct is reported on the machine; its instance runs and is ready otherwise. */
const reportUnattached = async (
  deps: TargetDependencies,
  infrastructure: AWSMachine,
  memberships: readonly Membership[],
  error: unknown,
): Promise<void> => {
  if (!isUsers(error)) return;
  const id = infrastructure.spec.instanceID;
  const message = `Control plane instance ${id} cannot be registered with load balancer ${namesOf(memberships)}: ${describeAwsError(error)}`;
  await recorder(deps).warning(infrastructure, 'FailedAttachControlPlaneELB', message);
  await write(deps, infrastructure, attachedClaim(message));
};

/** The instance is not terminated before it is deregistered, so the Machine reports the error as well. */
const reportStillAttached = async (
  deps: TargetDependencies,
  { ref, infrastructure }: { ref: MachineRef; infrastructure: AWSMachine },
  memberships: readonly Membership[],
  error: unknown,
): Promise<void> => {
  if (!isUsers(error)) return;
  const id = infrastructure.spec.instanceID;
  const message = `Control plane instance ${id} cannot be deregistered from load balancer ${namesOf(memberships)}: ${describeAwsError(error)}`;
  await recorder(deps).warning(infrastructure, 'FailedDetachControlPlaneELB', message);
  await write(deps, infrastructure, detachFailedClaim(message));
  await reportRefusal(deps, ref, error);
};

/**
 * Registers a control plane instance with every target group of the API's load balancers as soon as it runs: health
 * checks keep it out of service until its API server responds.
 */
const registerTarget =
  (deps: TargetDependencies) =>
  async ({ machine: ref }: MachineInput) => {
    const snapshot = await readAwsMachine(deps.objects, ref);
    if (!snapshot?.awsCluster || !snapshot.awsMachine || snapshot.machine.metadata.deletionTimestamp) return {};
    const { awsCluster, awsMachine: infrastructure } = snapshot;
    const instanceId = infrastructure.spec.instanceID;
    if (!instanceId || !hasLoadBalancer(awsCluster)) return {};
    const memberships = await membershipsOf(deps, awsCluster, ref);
    try {
      await Promise.all(memberships.map((membership) => enter(membership, instanceId)));
    } catch (error) {
      await reportUnattached(deps, infrastructure, memberships, error);
      throw error;
    }
    // The event comes first, because a run that finds the instance attached must not report it again.
    if (!attached(snapshot)) {
      const message = `Control plane instance ${instanceId} is registered with load balancer ${namesOf(memberships)}`;
      await recorder(deps).normal(infrastructure, 'SuccessfulAttachControlPlaneELB', message);
    }
    await write(deps, infrastructure, attachedClaim(undefined));
    return {};
  };

/** Deregisters an instance before it is terminated. */
const deregisterTarget =
  (deps: TargetDependencies) =>
  async ({ machine: ref }: MachineInput) => {
    const snapshot = await readAwsMachine(deps.objects, ref);
    const instanceId = snapshot?.awsMachine?.spec.instanceID;
    if (!snapshot?.awsCluster || !snapshot.awsMachine || !instanceId) return {};
    if (!hasLoadBalancer(snapshot.awsCluster)) return {};
    const memberships = await membershipsOf(deps, snapshot.awsCluster, ref);
    try {
      await Promise.all(memberships.map((membership) => leave(membership, instanceId)));
    } catch (error) {
      await reportStillAttached(deps, { ref, infrastructure: snapshot.awsMachine }, memberships, error);
      throw error;
    }
    if (attached(snapshot)) {
      const message = `Control plane instance ${instanceId} is deregistered from load balancer ${namesOf(memberships)}`;
      await recorder(deps).normal(snapshot.awsMachine, 'SuccessfulDetachControlPlaneELB', message);
    }
    return {};
  };

/** The steps of a machine's workflows that register and deregister it with the API's load balancer. */
export const makeTargetSteps = (deps: TargetDependencies): StepTable<'machine-target'> => ({
  attachEndpoint: registerTarget(deps),
  detachEndpoint: deregisterTarget(deps),
});
