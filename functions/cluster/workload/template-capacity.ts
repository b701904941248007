import type { Clock } from '../../../shared/clock.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { InfrastructureMachineTemplate } from '../../../shared/kinds/infrastructure.ts';
import { isOwnedByKind, refersTo } from '../../../shared/kinds/reference.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { Infrastructure } from '../../../shared/providers/infrastructure.ts';
import type { ByProvider, DescribeCapacity, WorkloadPort } from '../../providers/ports.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import { machineTemplateOf } from '../template-owner.ts';
import { workloadRecorder } from './reasons.ts';
import { restoreTemplateOwners } from './template-owners.ts';

export interface CapacityDependencies {
  objects: ObjectClient;
  clock: Clock;
  providers: ByProvider<Pick<WorkloadPort, 'capacity'>>;
}

/** The provider's machine templates to which the cluster's deployments, standalone sets and control plane refer. */
const templateNames = (
  { machineTemplate }: Infrastructure,
  { controlPlane, deployments, sets }: ClusterSnapshot,
): string[] => {
  const refs = [
    machineTemplateOf(controlPlane),
    ...deployments.map(({ spec }) => spec.template.spec.infrastructureRef),
    ...sets
      .filter(({ metadata }) => !metadata.ownerReferences?.some(isOwnedByKind(kinds.machineDeployment)))
      .map(({ spec }) => spec.template.spec.infrastructureRef),
  ];
  return [...new Set(refs.flatMap((ref) => (ref?.name && refersTo(machineTemplate, ref) ? [ref.name] : [])))];
};

/** Whether the status already contains what an autoscaler needs to scale from zero. A template never changes. */
export const hasCapacity = ({ status }: InfrastructureMachineTemplate): boolean =>
  Object.keys(status?.capacity ?? {}).length > 0 &&
  status?.nodeInfo?.architecture !== undefined &&
  status.nodeInfo.operatingSystem !== undefined;

const fill = async (
  deps: CapacityDependencies,
  { machineTemplate }: Infrastructure,
  describe: DescribeCapacity,
  template: InfrastructureMachineTemplate,
): Promise<void> => {
  const found = await describe(template);
  if (typeof found === 'string') {
    // A cluster without an autoscaler does not need the capacity, so nothing else waits for it.
    await workloadRecorder(deps).warning(template, 'CapacityQueryFailed', found);
    return;
  }
  const { namespace = '', name } = template.metadata;
  await deps.objects.mutate(machineTemplate, { namespace, name }, (current) => ({
    ...current,
    status: { ...current.status, ...found },
  }));
};

/**
 * Writes the capacity of machines to the status of their template, so that an autoscaler can scale from zero. Also
 * restores missing owners of the templates, which are read here anyway.
 */
export const reportCapacity = async (deps: CapacityDependencies, snapshot: ClusterSnapshot): Promise<void> => {
  const { infrastructureCluster, provider, cluster } = snapshot;
  const port = provider && deps.providers[provider.name];
  if (!infrastructureCluster || !port) return;
  const { namespace = '' } = cluster.metadata;
  const templates = await Promise.all(
    templateNames(provider, snapshot).map((name) => deps.objects.get(provider.machineTemplate, { namespace, name })),
  );
  const present = templates.filter((one) => one !== undefined);
  await restoreTemplateOwners(deps.objects, snapshot, provider, present);
  const wanting = present.filter((one) => !hasCapacity(one));
  if (wanting.length === 0) return;
  const describe = await port.capacity(infrastructureCluster);
  await Promise.all(wanting.map((template) => fill(deps, provider, describe, template)));
};
