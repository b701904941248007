import { driftPoliciesOf } from '../../../../shared/kinds/rules/drift-policy.ts';
import type { Drift } from '../../../../shared/plan/drift/claims.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { type UnknownInstance, unknownInstances } from '../../../../shared/providers/aws/plan/drift/instances.ts';
import { COMPONENT, type DriftDependencies } from '../../../drift/dependencies.ts';
import type { PlacedCluster } from '../../../drift/fleets.ts';
import type { Observation } from '../../../drift/observe.ts';
import type { SweepRun } from '../../../drift/run.ts';
import { tell } from '../../../drift/tell.ts';
import { noteReported } from '../infrastructure/note-drift.ts';

type UnknownDependencies = Pick<DriftDependencies, 'objects' | 'clock' | 'repairs' | 'scopeOf'>;

const keyOf = ({ namespace, name }: { namespace?: string; name: string }): string => `${namespace ?? ''}/${name}`;

const driftOf = ({ instanceId, machine }: UnknownInstance): Drift => ({
  kind: 'UnknownInstance',
  policy: 'Report',
  message: `instance ${instanceId} carries the tags of this cluster and of machine ${machine}, and no Machine has it`,
});

const terminateUnknown = (deps: UnknownDependencies, at: PlacedCluster, { instanceId }: UnknownInstance) =>
  tell(deps, at.cluster, 'TerminateUnknownInstance', async () => {
    await deps.repairs(await deps.scopeOf(at.awsCluster)).terminate(instanceId);
    return `Terminated instance ${instanceId}, which carries the tags of this cluster and which no Machine has`;
  });

/** Reports, or terminates where a cluster's policy says so, the instances of clusters that no machine has. */
export const handleUnknownInstances = async (
  deps: UnknownDependencies,
  { fleets, machines, instances, machineUids }: Pick<Observation, 'fleets' | 'machines' | 'instances' | 'machineUids'>,
  run: SweepRun,
): Promise<void> => {
  const placed = fleets
    .flatMap(({ clusters }) => clusters)
    .filter(({ cluster }) => !cluster.metadata.deletionTimestamp && !isPaused(cluster));
  const clusters = new Map(placed.map((one) => [keyOf(one.cluster.metadata), one]));
  const names = placed.map(({ cluster: { metadata } }) => ({
    namespace: metadata.namespace ?? '',
    name: metadata.name,
  }));
  const instanceIds = new Set(machines.map(({ infrastructure }) => infrastructure.spec.instanceID ?? ''));
  const found = unknownInstances(instances, { clusters: names, instanceIds, machineUids, now: deps.clock.now() });
  const isRepaired = ({ cluster }: PlacedCluster) => driftPoliciesOf(cluster).UnknownInstance === 'Repair';
  await run.each('look for instances that no Machine has', [...clusters.values()], async (at) => {
    const own = found.filter(({ cluster }) => keyOf(cluster) === keyOf(at.cluster.metadata));
    if (isRepaired(at)) for (const unknown of own) await terminateUnknown(deps, at, unknown);
    const reported = isRepaired(at) ? [] : own.map(driftOf);
    await noteReported(deps, at, 'instances', reported, COMPONENT);
  });
};
