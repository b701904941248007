import { distributionOf } from '../../../shared/distributions/registry.ts';
import type { InfrastructureMachineTemplate } from '../../../shared/kinds/infrastructure.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { Infrastructure } from '../../../shared/providers/infrastructure.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import { type TemplateKey, withTemplateOwner } from '../template-owner.ts';

/** The bootstrap templates of the cluster's deployments and sets, without duplicates. */
const bootstrapTemplates = ({ deployments, sets }: ClusterSnapshot): TemplateKey[] => {
  const refs = [...deployments, ...sets].map(({ spec }) => spec.template.spec.bootstrap.configRef);
  const found = refs.flatMap((ref): [string, TemplateKey][] => {
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
 * restore without owners affects all templates. Those that alone have lost it are found by `restoreUnread`.
 */
export const restoreTemplateOwners = async (
  objects: Pick<ObjectClient, 'mutate'>,
  snapshot: ClusterSnapshot,
  { machineTemplate }: Infrastructure,
  templates: readonly InfrastructureMachineTemplate[],
): Promise<void> => {
  const change = withTemplateOwner(snapshot.cluster);
  const lost = templates.filter((template) => change(template) !== undefined);
  if (lost.length === 0) return;
  const { namespace = '' } = snapshot.cluster.metadata;
  // This comes first: as long as a machine template has no owner, the others are checked again.
  await Promise.all(
    bootstrapTemplates(snapshot).map(({ name, resource }) => objects.mutate(resource, { namespace, name }, change)),
  );
  await Promise.all(lost.map((template) => objects.mutate(machineTemplate, template, change, { from: template })));
};
