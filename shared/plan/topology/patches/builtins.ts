import type { Cluster } from '../../../kinds/cluster/schema.ts';
import { definitionsOf } from '../../../kinds/cluster-class/variables/discovered.ts';
import type { MachineDeployment } from '../../../kinds/machine-deployment/schema.ts';
import type { MachinePool } from '../../../kinds/machine-pool/schema.ts';
import { withoutUndefined } from '../../../kube-api/json.ts';
import type { ObjectMeta } from '../../../kube-api/object.ts';
import type { DesiredWorkers } from '../desired/workers.ts';
import { type AnyObject, type Blueprint, someOf } from '../objects.ts';
import { valueAt } from '../path.ts';
import type { Variables } from './variable-path.ts';

type Overrides = readonly { name: string; value: unknown }[] | undefined;

const DROPPED: readonly string[] = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'cluster.x-k8s.io/conversion-data',
];

const metadataOf = ({ labels, annotations }: ObjectMeta) =>
  someOf({
    labels,
    annotations:
      annotations && Object.fromEntries(Object.entries(annotations).filter(([key]) => !DROPPED.includes(key))),
  });

/** The variables that the class defines; `builtin` cannot be redefined. */
const definedOf = ({ clusterClass }: Blueprint, values: Overrides = []): Record<string, unknown> => {
  const known = new Set(definitionsOf(clusterClass).map(({ name }) => name));
  return Object.fromEntries(
    values.filter(({ name }) => known.has(name) && name !== 'builtin').map(({ name, value }) => [name, value]),
  );
};

const networkOf = ({ clusterNetwork }: Cluster['spec']) =>
  someOf({
    serviceDomain: clusterNetwork?.serviceDomain,
    services: clusterNetwork?.services?.cidrBlocks,
    pods: clusterNetwork?.pods?.cidrBlocks,
  });

/**
 * The variables of all templates: those that the cluster sets, and `builtin.cluster` (patches/variables/variables.go).
 */
export const clusterVariables = (blueprint: Blueprint, cluster: Cluster): Variables => {
  const { topology } = blueprint;
  const { name, namespace = '', uid } = cluster.metadata;
  const classRef = { name: topology.classRef.name, namespace: topology.classRef.namespace ?? namespace };
  const builtin = {
    cluster: {
      name,
      namespace,
      uid,
      metadata: metadataOf(cluster.metadata),
      topology: { version: topology.version, classRef, class: classRef.name, classNamespace: classRef.namespace },
      network: networkOf(cluster.spec),
    },
  };
  return { ...definedOf(blueprint, topology.variables), builtin: withoutUndefined(builtin) };
};

/** The variables of the templates of the control plane. */
export const controlPlaneVariables = (
  blueprint: Blueprint,
  controlPlane: AnyObject,
  machines: AnyObject | undefined,
): Variables => {
  const wanted = blueprint.topology.controlPlane;
  const replicas = wanted?.replicas === undefined ? undefined : valueAt(controlPlane, ['spec', 'replicas']);
  const builtin = {
    controlPlane: {
      name: controlPlane.metadata.name,
      version: valueAt(controlPlane, ['spec', 'version']),
      metadata: metadataOf(controlPlane.metadata),
      replicas,
      machineTemplate: machines && { infrastructureRef: { name: machines.metadata.name } },
    },
  };
  return { ...definedOf(blueprint, wanted?.variables?.overrides), builtin: withoutUndefined(builtin) };
};

/** The variables of the templates of a group of workers. */
export const workersVariables = (
  blueprint: Blueprint,
  of: 'machineDeployment' | 'machinePool',
  { object, topologyName, bootstrap, infrastructure }: DesiredWorkers<MachineDeployment | MachinePool>,
  group: { class: string; variables?: { overrides?: Overrides } | undefined },
): Variables => {
  const workers = {
    version: object.spec.template?.spec?.version,
    metadata: metadataOf(object.metadata),
    class: group.class,
    name: object.metadata.name,
    topologyName,
    replicas: object.spec.replicas,
    bootstrap: { configRef: { name: bootstrap.metadata.name } },
    infrastructureRef: { name: infrastructure.metadata.name },
  };
  return { ...definedOf(blueprint, group.variables?.overrides), builtin: { [of]: withoutUndefined(workers) } };
};
