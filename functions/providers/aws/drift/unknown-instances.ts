import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import { unknownInstances } from '../../../../shared/providers/aws/plan/drift/instances.ts';
import type { PlacedCluster } from '../../../../shared/providers/infrastructure.ts';
import type { ProvidedFleet, Sight, UnknownInstance } from '../../sweep-port.ts';
import { ownMachine } from './accounts.ts';
import type { AwsSweepDependencies } from './dependencies.ts';
import type { AwsObservation } from './observe.ts';

const nameOf = ({ cluster: { metadata } }: PlacedCluster) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

/** Terminating an etcd member before it is removed from etcd could cost the quorum. */
const MAY_BE_A_MEMBER =
  'it is never terminated automatically, because it may be a member of etcd: remove it from etcd first';

/** What is reported about an instance, and how to terminate it. */
const reportOf = (
  deps: Pick<AwsSweepDependencies, 'repairs' | 'scopeOf'>,
  placed: readonly PlacedCluster[],
  { instanceId, cluster, machine, isControlPlane }: ReturnType<typeof unknownInstances>[number],
): UnknownInstance[] => {
  const at = placed.find(
    ({ cluster: { metadata } }) => metadata.namespace === cluster.namespace && metadata.name === cluster.name,
  );
  if (!at) return [];
  const message = `instance ${instanceId} has the tags of this cluster and of machine ${machine}, but no Machine uses it`;
  if (isControlPlane) return [{ cluster, message: `${message}; ${MAY_BE_A_MEMBER}` }];
  const call = async () => {
    await deps.repairs(await deps.scopeOf(at.infrastructure as AWSCluster)).terminate(instanceId);
    return `Terminated instance ${instanceId}, which has the tags of this cluster and which no Machine uses`;
  };
  return [{ cluster, message, terminate: { reason: 'TerminateUnknownInstance', call } }];
};

/**
 * The instances with the tags of these clusters that belong to no machine, and how to terminate them. Only instances in
 * the account and region of a cluster count: in an account of their own, users can set any tags.
 */
export const unknownIn = (
  deps: AwsSweepDependencies,
  { accounts, unread }: AwsObservation,
  { machineUids }: ProvidedFleet,
): Sight['unknownInstances'] => {
  const machines = [...accounts, ...unread].flatMap((account) => account.machines.map(ownMachine));
  const launched = machines.filter(({ infrastructure }) => infrastructure.spec.instanceID);
  const instanceIds = new Set(launched.map(({ infrastructure }) => infrastructure.spec.instanceID ?? ''));
  const launchedUids = new Set(launched.map(({ machine }) => machine.metadata.uid ?? ''));
  return (placed, now) => {
    const uids = new Set(placed.map(({ cluster }) => cluster.metadata.uid));
    return accounts.flatMap(({ clusters, instances }) => {
      const own = clusters.filter(({ cluster }) => uids.has(cluster.metadata.uid));
      const facts = { clusters: own.map(nameOf), instanceIds, machineUids, launchedUids, now };
      const found = unknownInstances(instances, facts);
      return found.flatMap((one) => reportOf(deps, own, one));
    });
  };
};
