/** Reports the load balancers on the AWSCluster, in conditions and events. */
import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import { type LegacyClaim, withLegacyCondition } from '../../../../shared/plan/status/legacy-conditions.ts';
import { withReady } from '../../../../shared/providers/aws/load-balancer/record.ts';
import { balancerRecordOf } from '../../../../shared/providers/aws/load-balancer/roles.ts';
import type { ReadyResult } from '../../../../shared/work/payloads.ts';
import type { LiveScope } from '../infrastructure/scope.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';
import type { Look } from './settle-balancing.ts';

/** The condition of the AWSCluster. */
export const TYPE = 'LoadBalancerReady';

export const failed = (message: string): LegacyClaim => ({
  type: TYPE,
  status: 'False',
  severity: 'Error',
  reason: 'LoadBalancerFailed',
  message,
});

/** Writes a condition, together with other changes, unless the AWSCluster is being deleted. */
export const write = async (
  { objects, clock }: LoadBalancerDependencies,
  { key }: LiveScope,
  claim: LegacyClaim,
  change: (awsCluster: AWSCluster) => AWSCluster = (awsCluster) => awsCluster,
) => {
  await objects.mutate(kinds.awsCluster, key, (current) =>
    current.metadata.deletionTimestamp
      ? undefined
      : withReady(withLegacyCondition(change(current), claim, clock.now())),
  );
};

/** Reports what a user must change, with a condition and an event. */
export const reportProblem = async (deps: LoadBalancerDependencies, scope: LiveScope, message: string) => {
  await write(deps, scope, failed(message));
  await recorder(deps).warning(scope.awsCluster, 'LoadBalancerFailed', message);
  return { ready: false };
};

/** Waits for the endpoint that the user provides, because Windlass creates no load balancer. */
export const awaitExternalEndpoint = async (deps: LoadBalancerDependencies, scope: LiveScope): Promise<ReadyResult> => {
  const { host, port } = scope.awsCluster.spec.controlPlaneEndpoint ?? {};
  if (host && port) {
    await write(deps, scope, { type: TYPE, status: 'True' });
    return { ready: true };
  }
  const message = 'spec.controlPlaneLoadBalancer.loadBalancerType is disabled: set spec.controlPlaneEndpoint';
  const reason = 'WaitForExternalControlPlaneEndpoint';
  await write(deps, scope, { type: TYPE, status: 'False', severity: 'Info', reason, message });
  return { ready: false };
};

/** Reports that the DNS name is not published yet. */
export const awaitName = async (
  deps: LoadBalancerDependencies,
  scope: LiveScope,
  name: string,
): Promise<ReadyResult> => {
  const message = `The DNS name ${name} of the load balancer does not resolve yet`;
  const reason = 'WaitForDNSNameResolve';
  await write(deps, scope, { type: TYPE, status: 'False', severity: 'Info', reason, message });
  return { ready: false };
};

/**
 * A user's DNS name must be pointed to the load balancer before it is used, and again after the load balancer is
 * recreated.
 */
export const recordNewName = async (
  deps: LoadBalancerDependencies,
  { scope, desired, observed }: Look,
): Promise<void> => {
  const dnsName = observed.loadBalancer?.dnsName;
  const isKnown = dnsName === balancerRecordOf(scope.awsCluster, desired.role)?.dnsName;
  if (!desired.ownEndpoint || !dnsName || isKnown) return;
  const message = `Point ${desired.ownEndpoint.host} to ${dnsName}, the name of the API's load balancer`;
  await recorder(deps).normal(scope.awsCluster, 'LeadEndpoint', message);
};
