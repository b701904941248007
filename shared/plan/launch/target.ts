import type { AWSCluster } from '../../kinds/index.ts';
import type { LegacyClaim } from '../status/legacy-conditions.ts';

/** The port on which every control plane machine serves the Kubernetes API, whatever the endpoint's port is. */
export const API_SERVER_PORT = 6443;

/** ELBAttached of an AWSMachine, with upstream's reasons. */
export const attachedClaim = (problem: string | undefined): LegacyClaim =>
  problem === undefined
    ? { type: 'ELBAttached', status: 'True' }
    : { type: 'ELBAttached', status: 'False', severity: 'Error', reason: 'ELBAttachFailed', message: problem };

/** Whether the cluster's API load balancer is ours to register machines with. */
export const hasLoadBalancer = ({ spec }: AWSCluster): boolean =>
  spec.controlPlaneLoadBalancer?.loadBalancerType !== 'disabled';
