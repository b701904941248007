import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import type { LegacyClaim } from '../../../../plan/status/legacy-conditions.ts';
import { isExternallyManaged } from '../../../../plan/status/managed-by.ts';

/** ELBAttached for an AWSMachine, with upstream's reasons. */
export const attachedClaim = (problem: string | undefined): LegacyClaim =>
  problem === undefined
    ? { type: 'ELBAttached', status: 'True' }
    : { type: 'ELBAttached', status: 'False', severity: 'Error', reason: 'ELBAttachFailed', message: problem };

/** ELBAttached for an AWSMachine whose instance cannot be deregistered. */
export const detachFailedClaim = (message: string): LegacyClaim => ({
  type: 'ELBAttached',
  status: 'False',
  severity: 'Error',
  reason: 'ELBDetachFailed',
  message,
});

/**
 * Whether the cluster has an API load balancer with which machines are registered. If another system manages the
 * infrastructure, it is the one that the spec names.
 */
export const hasLoadBalancer = (awsCluster: AWSCluster): boolean => {
  const { loadBalancerType, name } = awsCluster.spec.controlPlaneLoadBalancer ?? {};
  return loadBalancerType !== 'disabled' && (name !== undefined || !isExternallyManaged(awsCluster));
};

/** Whether an instance has been registered with the API's load balancers since its launch. */
export const wasAttached = ({ status }: AWSMachine): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'ELBAttached' && value === 'True') === true;

/** Whether a running instance of the control plane has never been registered, although there is a load balancer. */
export const lacksTarget = (machine: AWSMachine, cluster: AWSCluster): boolean =>
  machine.spec.instanceID !== undefined &&
  machine.status?.instanceState === 'running' &&
  !wasAttached(machine) &&
  hasLoadBalancer(cluster);
