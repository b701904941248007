import type { AWSCluster } from '../../../../kinds/index.ts';
import type { LegacyClaim } from '../../../../plan/status/legacy-conditions.ts';
import { isExternallyManaged } from '../../../../plan/status/managed-by.ts';

/** The port on which every control plane machine serves the Kubernetes API, whatever the endpoint's port is. */
export const API_SERVER_PORT = 6443;

/** ELBAttached of an AWSMachine, with upstream's reasons. */
export const attachedClaim = (problem: string | undefined): LegacyClaim =>
  problem === undefined
    ? { type: 'ELBAttached', status: 'True' }
    : { type: 'ELBAttached', status: 'False', severity: 'Error', reason: 'ELBAttachFailed', message: problem };

/**
 * Whether the cluster has an API load balancer to register machines with. Where another system manages the
 * infrastructure, it is the one that the spec names.
 */
export const hasLoadBalancer = (awsCluster: AWSCluster): boolean => {
  const { loadBalancerType, name } = awsCluster.spec.controlPlaneLoadBalancer ?? {};
  return loadBalancerType !== 'disabled' && (name !== undefined || !isExternallyManaged(awsCluster));
};
