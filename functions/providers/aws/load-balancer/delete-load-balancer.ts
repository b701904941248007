import { kinds } from '../../../../shared/kinds/index.ts';
import { withLegacyCondition } from '../../../../shared/plan/status/legacy-conditions.ts';
import { BALANCER_ROLES, balancerRecordOf } from '../../../../shared/providers/aws/load-balancer/roles.ts';
import type { ConvergeInput, DoneResult } from '../../../../shared/work/payloads.ts';
import { deleteBucket } from '../bucket/delete-bucket.ts';
import { collectLoadBalancers } from '../garbage/load-balancers.ts';
import { type InfrastructureScope, isHeld, readScope } from '../infrastructure/scope.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';
import { dropSecondary, takeDown } from './take-down.ts';

const report = async (
  { objects, clock }: LoadBalancerDependencies,
  { key }: InfrastructureScope,
  reason: 'Deleting' | 'Deleted',
  message: string,
) => {
  const claim = { type: 'LoadBalancerReady', status: 'False', severity: 'Info', reason, message } as const;
  await objects.mutate(kinds.awsCluster, key, (current) => withLegacyCondition(current, claim, clock.now()));
};

/**
 * Resources of controllers in the cluster are deleted after our own, because they may block the deletion of the
 * network.
 */
const finish = async (deps: LoadBalancerDependencies, scope: InfrastructureScope): Promise<DoneResult> => {
  const blockers = await collectLoadBalancers(deps, scope);
  if (blockers.length === 0) await report(deps, scope, 'Deleted', 'Deleted');
  else await report(deps, scope, 'Deleting', blockers.join('; '));
  return { done: blockers.length === 0 };
};

const hasSecondary = ({ awsCluster }: InfrastructureScope): boolean =>
  awsCluster?.spec.secondaryControlPlaneLoadBalancer !== undefined ||
  balancerRecordOf(awsCluster, 'secondary') !== undefined;

/**
 * Deletes the API's load balancers with their listeners and target groups, even if only some of them exist. If not
 * done, the condition names what AWS has not released yet. Throws an Error for a cluster that is not being deleted.
 */
export const deleteLoadBalancer =
  (deps: LoadBalancerDependencies) =>
  async ({ cluster: ref }: ConvergeInput): Promise<DoneResult> => {
    const scope = await readScope(deps, ref);
    if (!scope) return { done: true };
    if (isHeld(scope)) return { done: false };
    if (!scope.cluster.metadata.deletionTimestamp) {
      throw new Error(`Cluster ${ref.namespace}/${ref.name} is not being deleted: its load balancer stays`);
    }
    await deleteBucket(deps, scope);
    await dropSecondary(deps, scope, ref.uid);
    const leaving = BALANCER_ROLES.filter((role) => role === 'primary' || hasSecondary(scope));
    const blockers = (await Promise.all(leaving.map((role) => takeDown(deps, scope, ref.uid, role)))).flatMap(
      ({ blocker }) => blocker ?? [],
    );
    if (blockers.length === 0) return finish(deps, scope);
    await report(deps, scope, 'Deleting', blockers.join('; '));
    return { done: false };
  };
