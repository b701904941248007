import { distributionOf } from '../../../shared/distributions/registry.ts';
import type { Cluster } from '../../../shared/kinds/index.ts';
import type { InfrastructureMachineTemplate } from '../../../shared/kinds/infrastructure.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { MAX_OWNERS } from '../../../shared/kube-api/owner-limits.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { withFurtherOwner } from '../../../shared/plan/machines/ownership.ts';
import type { Infrastructure } from '../../../shared/providers/infrastructure.ts';
import type { ClusterSnapshot } from '../snapshot.ts';

const owned =
  (cluster: Cluster) =>
  <T extends KubeObject>(template: T): T | undefined => {
    const { deletionTimestamp, ownerReferences = [] } = template.metadata;
    if (deletionTimestamp || ownerReferences.length >= MAX_OWNERS) return undefined;
    const next = withFurtherOwner(template, cluster);
    return next === template ? undefined : next;
  };

interface Template {
  resource: ResourceDefinition;
  name: string;
}

/** The bootstrap templates of the cluster's deployments and sets, without duplicates. */
const bootstrapTemplates = ({ deployments, sets }: ClusterSnapshot): Template[] => {
  const refs = [...deployments, ...sets].map(({ spec }) => spec.template.spec.bootstrap.configRef);
  const found = refs.flatMap((ref): [string, Template][] => {
    const distribution = ref && distributionOf('configTemplate', ref);
    if (!ref?.name || !distribution) return [];
    const resource = distribution.configTemplate as ResourceDefinition;
    return [[`${resource.kind} ${ref.name}`, { resource, name: ref.name }]];
  });
  return [...new Map(found).values()];
};

/**
 * Makes the Cluster an owner of its templates again if a user has removed that: without an owner, a template is neither
 * moved nor deleted with the cluster. The bootstrap templates are read only if a machine template has lost its owner: a
 * restore without owners affects all templates, and nothing else needs them in every pass.
 */
export const restoreTemplateOwners = async (
  objects: Pick<ObjectClient, 'mutate'>,
  snapshot: ClusterSnapshot,
  { machineTemplate }: Infrastructure,
  templates: readonly InfrastructureMachineTemplate[],
): Promise<void> => {
  const change = owned(snapshot.cluster);
  const lost = templates.filter((template) => change(template) !== undefined);
  if (lost.length === 0) return;
  const { namespace = '' } = snapshot.cluster.metadata;
  // This comes first: as long as a machine template has no owner, the others are checked again.
  await Promise.all(
    bootstrapTemplates(snapshot).map(({ name, resource }) => objects.mutate(resource, { namespace, name }, change)),
  );
  await Promise.all(lost.map((template) => objects.mutate(machineTemplate, template, change, { from: template })));
};
