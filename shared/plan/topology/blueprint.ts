import type { Cluster } from '../../kinds/cluster/schema.ts';
import type { ClusterClass } from '../../kinds/cluster-class/schema.ts';
import { TopologyError } from './error.ts';
import type { KindOf } from './kinds.ts';
import type { AnyObject, Blueprint, WorkerTemplates } from './objects.ts';

/** A reference of a class to a template in the namespace of the class. */
export interface TemplateRef {
  apiVersion: string;
  kind: string;
  name: string;
}

interface Holder {
  templateRef: TemplateRef;
}

/** A reference of a class with upstream's name for it. `of`: the class of workers that contains it. */
interface Part {
  ref: TemplateRef;
  what: string;
  of?: string;
}

const partsOf = ({ spec }: ClusterClass): Part[] => {
  const { infrastructure, controlPlane, workers } = spec;
  const { machineInfrastructure: machines } = controlPlane;
  return [
    { ref: infrastructure.templateRef, what: 'infrastructure cluster template' },
    { ref: controlPlane.templateRef, what: 'control plane template' },
    ...(machines ? [{ ref: machines.templateRef, what: "control plane's machine template" }] : []),
    ...(workers?.machineDeployments ?? []).flatMap((it): Part[] => [
      {
        ref: it.infrastructure.templateRef,
        what: 'infrastructure machine template',
        of: `MachineDeployment class "${it.class}"`,
      },
      { ref: it.bootstrap.templateRef, what: 'bootstrap config template', of: `MachineDeployment class "${it.class}"` },
    ]),
    ...(workers?.machinePools ?? []).flatMap((it): Part[] => [
      {
        ref: it.infrastructure.templateRef,
        what: 'InfrastructureMachinePoolTemplate',
        of: `MachinePool class "${it.class}"`,
      },
      { ref: it.bootstrap.templateRef, what: 'bootstrap config', of: `MachinePool class "${it.class}"` },
    ]),
  ];
};

/** The key of a template among those that were read for a class. */
export const templateKey = ({ apiVersion, kind, name }: TemplateRef): string => `${apiVersion}/${kind}/${name}`;

/** The templates that a class refers to, each once. */
export const templatesOf = (clusterClass: ClusterClass): TemplateRef[] => [
  ...new Map(partsOf(clusterClass).map(({ ref }) => [templateKey(ref), ref])).values(),
];

/** Upstream's text, which names the template twice. */
const absence = (clusterClass: ClusterClass, { ref, what, of }: Part, kindOf: KindOf): TopologyError => {
  const { namespace = '', name } = clusterClass.metadata;
  const place = `failed to get ${what} for ClusterClass ${namespace}/${name}${of ? `, ${of}` : ''}`;
  const failed = `failed to retrieve ${ref.kind} ${namespace}/${ref.name}`;
  const why = kindOf(ref)
    ? `${ref.kind}.${ref.apiVersion.split('/')[0]} "${ref.name}" not found`
    : `no matches for kind "${ref.kind}" in version "${ref.apiVersion}", or its definition has no label cluster.x-k8s.io/<version of a contract>`;
  return new TopologyError(`error reading the ClusterClass: ${place}: ${failed}: ${failed}: ${why}`);
};

/**
 * A cluster with its class and its templates. `found`: the templates by `templateKey`. Throws TopologyError for the
 * first missing template.
 */
export const blueprintOf = (
  cluster: Cluster,
  clusterClass: ClusterClass,
  found: ReadonlyMap<string, AnyObject>,
  { kindOf, contract }: Pick<Blueprint, 'kindOf' | 'contract'>,
): Blueprint => {
  const { topology } = cluster.spec;
  if (!topology) throw new TopologyError(`Cluster ${cluster.metadata.name} has no topology`);
  for (const part of partsOf(clusterClass)) {
    if (!found.has(templateKey(part.ref))) throw absence(clusterClass, part, kindOf);
  }
  const get = ({ templateRef }: Holder): AnyObject => found.get(templateKey(templateRef)) as AnyObject;
  const byClass = (classes: readonly ({ class: string } & Record<'bootstrap' | 'infrastructure', Holder>)[] = []) =>
    new Map<string, WorkerTemplates>(
      classes.map((it) => [it.class, { bootstrap: get(it.bootstrap), infrastructure: get(it.infrastructure) }]),
    );
  const { infrastructure, controlPlane, workers } = clusterClass.spec;
  return {
    cluster,
    topology,
    clusterClass,
    infrastructureCluster: get(infrastructure),
    controlPlane: get(controlPlane),
    machineInfrastructure: controlPlane.machineInfrastructure && get(controlPlane.machineInfrastructure),
    machineDeployments: byClass(workers?.machineDeployments),
    machinePools: byClass(workers?.machinePools),
    contract,
    kindOf,
  };
};
