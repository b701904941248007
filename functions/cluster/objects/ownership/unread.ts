import { distributionOf } from '../../../../shared/distributions/registry.ts';
import type { BootstrapConfig } from '../../../../shared/kinds/contract-objects.ts';
import type { Reference } from '../../../../shared/kinds/reference.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { shareOf } from '../../../../shared/plan/share.ts';
import { infrastructureOf } from '../../../../shared/providers/registry.ts';
import type { Apart } from '../../apart.ts';
import { restoreDataOwner } from '../../lost-data-owner.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';
import { machineTemplateOf, restoreTemplateOwner, type TemplateKey } from '../../template-owner.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

type Dependencies = Pick<ObjectsDependencies, 'objects'> & { apart: Apart };

/** The number of objects that a pass reads only for their owners. */
const READS = 8;

/** The templates to which deployments, sets and the control plane refer, without duplicates or those of other programs. */
const templatesOf = ({ controlPlane, deployments, sets }: ClusterSnapshot): TemplateKey[] => {
  const workers = [...deployments, ...sets].map(({ spec }) => spec.template.spec);
  const machines = [machineTemplateOf(controlPlane), ...workers.map(({ infrastructureRef }) => infrastructureRef)];
  const kindOfMachines = (ref: Reference) => {
    const provider = infrastructureOf('machineTemplate', ref);
    return provider?.isOutside ? undefined : provider?.machineTemplate;
  };
  const kindOfConfigs = (ref: Reference) => distributionOf('configTemplate', ref)?.configTemplate;
  const named = (ref: Reference | undefined, kindOf: (ref: Reference) => unknown): [string, TemplateKey][] => {
    const resource = ref && (kindOf(ref) as ResourceDefinition | undefined);
    return resource && ref.name ? [[`${resource.kind} ${ref.name}`, { resource, name: ref.name }]] : [];
  };
  const found = [
    ...workers.flatMap(({ bootstrap }) => named(bootstrap.configRef, kindOfConfigs)),
    ...machines.flatMap((ref) => named(ref, kindOfMachines)),
  ];
  return [...new Map(found).values()];
};

/**
 * Restores owners of objects that nothing else in a pass reads: templates, and the data of `configs`, which must belong to
 * the cluster. Each pass checks only some of them, because reading all would cost more than everything else a pass reads.
 * `turn` identifies the pass: the next one checks others.
 */
export const restoreUnread = async (
  { objects, apart }: Dependencies,
  snapshot: ClusterSnapshot,
  { configs, turn }: { configs: readonly BootstrapConfig[]; turn: number },
): Promise<void> => {
  const { cluster } = snapshot;
  const checks = [
    ...templatesOf(snapshot).map((template) => () => restoreTemplateOwner(objects, cluster, template)),
    ...configs
      .filter(({ metadata, status }) => status?.dataSecretName !== undefined && !metadata.deletionTimestamp)
      .map((config) => () => restoreDataOwner(objects, config)),
  ];
  await apart.each(shareOf(checks, `${cluster.metadata.uid}/${turn}`, READS), (check) => check());
};
