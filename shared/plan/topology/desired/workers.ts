import type { Topology } from '../../../kinds/cluster/schema.ts';
import type { MachineDeploymentClass, MachinePoolClass } from '../../../kinds/cluster-class/schema.ts';
import type { MachineDeployment } from '../../../kinds/machine-deployment/schema.ts';
import type { MachineHealthCheck } from '../../../kinds/machine-health-check/schema.ts';
import type { MachinePool } from '../../../kinds/machine-pool/schema.ts';
import { withoutUndefined } from '../../../kube-api/json.ts';
import { LABEL } from '../../labels.ts';
import { TopologyError } from '../error.ts';
import {
  type AnyObject,
  type Blueprint,
  type CurrentTopology,
  mergeTexts,
  ownedBy,
  someOf,
  TOPOLOGY_LABEL,
  type WorkerTemplates,
} from '../objects.ts';
import { SEQUENCE_ANNOTATIONS } from '../upgrade/versions.ts';
import { objectFrom, refTo, templateFrom } from './clone.ts';
import { healthCheckFor } from './health-check.ts';
import { namedBy, simpleName } from './names.ts';

type Workers = NonNullable<Topology['workers']>;
export type DeploymentTopology = NonNullable<Workers['machineDeployments']>[number];
export type PoolTopology = NonNullable<Workers['machinePools']>[number];

/** A group of workers with the objects that it refers to. */
export interface DesiredWorkers<T> {
  topologyName: string;
  object: T;
  bootstrap: AnyObject;
  infrastructure: AnyObject;
  healthCheck?: MachineHealthCheck;
}

const classOf = <T extends { class: string }>(
  classes: readonly T[] | undefined,
  templates: ReadonlyMap<string, WorkerTemplates>,
  name: string,
  { kind, clusterClass }: { kind: string; clusterClass: Blueprint['clusterClass'] },
): { of: T; templates: WorkerTemplates } => {
  const of = classes?.find((it) => it.class === name);
  const known = templates.get(name);
  if (of && known) return { of, templates: known };
  const { namespace = '', name: className } = clusterClass.metadata;
  throw new TopologyError(`${kind} class ${name} not found in ClusterClass ${namespace}/${className}`);
};

/** Labels and annotations of a group and of its machines. The topology's take precedence over those of the class. */
const metadataOf = (
  group: DeploymentTopology | PoolTopology,
  of: MachineDeploymentClass | MachinePoolClass,
  own: Record<string, string>,
) => {
  const merged = mergeTexts(group.metadata?.annotations, of.metadata?.annotations);
  const annotations = Object.fromEntries(Object.entries(merged).filter(([key]) => !SEQUENCE_ANNOTATIONS.includes(key)));
  return withoutUndefined({
    labels: { ...mergeTexts(group.metadata?.labels, of.metadata?.labels), ...own },
    annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
  });
};

const deletionOf = (group: DeploymentTopology | PoolTopology, of: MachineDeploymentClass | MachinePoolClass) => {
  const [wanted, ofClass] = [group.deletion ?? {}, of.deletion ?? {}];
  return someOf({
    nodeDrainTimeoutSeconds: wanted.nodeDrainTimeoutSeconds ?? ofClass.nodeDrainTimeoutSeconds,
    nodeVolumeDetachTimeoutSeconds: wanted.nodeVolumeDetachTimeoutSeconds ?? ofClass.nodeVolumeDetachTimeoutSeconds,
    nodeDeletionTimeoutSeconds: wanted.nodeDeletionTimeoutSeconds ?? ofClass.nodeDeletionTimeoutSeconds,
  });
};

/** The labels that identify a group, its templates and its machines. */
const ownLabels = (clusterName: string, label: string, topologyName: string): Record<string, string> => ({
  [LABEL.clusterName]: clusterName,
  [TOPOLOGY_LABEL.owned]: '',
  [label]: topologyName,
});

/** The spec of machines that deployments and pools have in common. */
const machineSpec = (
  { cluster }: Blueprint,
  group: DeploymentTopology | PoolTopology,
  of: MachineDeploymentClass | MachinePoolClass,
  refs: { version: string; bootstrap: AnyObject; infrastructure: AnyObject },
) => ({
  clusterName: cluster.metadata.name,
  version: refs.version,
  bootstrap: { configRef: refTo(refs.bootstrap) },
  infrastructureRef: refTo(refs.infrastructure),
  deletion: deletionOf(group, of),
  taints: group.taints ?? of.taints,
  minReadySeconds: group.minReadySeconds ?? of.minReadySeconds,
});

/** The rollout settings of the topology completely replace those of the class. */
const rolloutOf = (group: DeploymentTopology, of: MachineDeploymentClass) => {
  const chosen = group.rollout ?? of.rollout;
  return chosen && someOf({ after: group.rollout?.after, strategy: chosen.strategy });
};

const templatesOf = (
  blueprint: Blueprint,
  templates: WorkerTemplates,
  group: string,
  current: MachineDeployment | undefined,
) => {
  const { cluster } = blueprint;
  const { name, namespace = '' } = cluster.metadata;
  const base = `${name}-${group}-`;
  const spec = current?.spec.template?.spec;
  const common = {
    namespace,
    clusterName: name,
    labels: { [TOPOLOGY_LABEL.deploymentName]: group },
    owner: ownedBy(cluster),
  };
  return {
    bootstrap: templateFrom({
      ...common,
      template: templates.bootstrap,
      name: spec?.bootstrap?.configRef?.name ?? simpleName(cluster, base, `bootstrap/${group}`),
    }),
    infrastructure: templateFrom({
      ...common,
      template: templates.infrastructure,
      name: spec?.infrastructureRef?.name ?? simpleName(cluster, base, `machines/${group}`),
    }),
  };
};

interface Made {
  bootstrap: AnyObject;
  infrastructure: AnyObject;
}

const deploymentSpec = (
  blueprint: Blueprint,
  group: DeploymentTopology,
  of: MachineDeploymentClass,
  { metadata, ...refs }: Made & { version: string; metadata: object },
) => ({
  clusterName: blueprint.cluster.metadata.name,
  replicas: group.replicas,
  selector: { matchLabels: ownLabels(blueprint.cluster.metadata.name, TOPOLOGY_LABEL.deploymentName, group.name) },
  rollout: rolloutOf(group, of),
  deletion: someOf({ order: group.deletion?.order ?? of.deletion?.order }),
  remediation: someOf({
    maxInFlight: group.healthCheck?.remediation?.maxInFlight ?? of.healthCheck?.remediation?.maxInFlight,
  }),
  template: {
    metadata,
    spec: {
      ...machineSpec(blueprint, group, of, refs),
      failureDomain: group.failureDomain ?? of.failureDomain,
      readinessGates: group.readinessGates ?? of.readinessGates,
    },
  },
});

/** A MachineDeployment of the topology with its templates and its health check (computeMachineDeployment). */
export const desiredDeployment = (
  blueprint: Blueprint,
  group: DeploymentTopology,
  { machineDeployments }: CurrentTopology,
  version: string,
): DesiredWorkers<MachineDeployment> => {
  const { cluster, clusterClass, machineDeployments: known } = blueprint;
  const kind = 'MachineDeployment';
  const { of, templates } = classOf(clusterClass.spec.workers?.machineDeployments, known, group.class, {
    kind,
    clusterClass,
  });
  const { name: clusterName, namespace = '' } = cluster.metadata;
  const current = machineDeployments.get(group.name)?.object;
  const own = ownLabels(clusterName, TOPOLOGY_LABEL.deploymentName, group.name);
  const metadata = metadataOf(group, of, own);
  const made = templatesOf(blueprint, templates, group.name, current);
  const template = of.naming?.template ?? '{{ .cluster.name }}-{{ .machineDeployment.topologyName }}-{{ .random }}';
  const variables = { machineDeployment: { topologyName: group.name } };
  const generated = namedBy(cluster, kind, { template, variables }, `deployment/${group.name}`);
  const name = current?.metadata.name ?? generated;
  const object = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind,
    metadata: { name, namespace, ...metadata },
    spec: deploymentSpec(blueprint, group, of, { ...made, version, metadata }),
  };
  const { [LABEL.clusterName]: _, ...machines } = own;
  const healthCheck = healthCheckFor(name, machines, blueprint, group.healthCheck, of.healthCheck);
  return {
    topologyName: group.name,
    object: withoutUndefined(object) as MachineDeployment,
    ...made,
    ...(healthCheck ? { healthCheck } : {}),
  };
};

const poolObjectsOf = (
  { cluster }: Blueprint,
  templates: WorkerTemplates,
  group: string,
  current: MachinePool | undefined,
) => {
  const { name, namespace = '' } = cluster.metadata;
  const base = `${name}-${group}-`;
  const spec = current?.spec.template?.spec;
  const common = {
    namespace,
    clusterName: name,
    labels: { [TOPOLOGY_LABEL.poolName]: group },
    owner: ownedBy(cluster),
  };
  return {
    bootstrap: objectFrom({
      ...common,
      template: templates.bootstrap,
      name: spec?.bootstrap?.configRef?.name ?? simpleName(cluster, base, `pool-bootstrap/${group}`),
    }),
    infrastructure: objectFrom({
      ...common,
      template: templates.infrastructure,
      name: spec?.infrastructureRef?.name ?? simpleName(cluster, base, `pool-machines/${group}`),
    }),
  };
};

/** A MachinePool of the topology with its bootstrap and infrastructure objects (computeMachinePool). */
export const desiredPool = (
  blueprint: Blueprint,
  group: PoolTopology,
  { machinePools }: CurrentTopology,
  version: string,
): DesiredWorkers<MachinePool> => {
  const { cluster, clusterClass } = blueprint;
  const { of, templates } = classOf(clusterClass.spec.workers?.machinePools, blueprint.machinePools, group.class, {
    kind: 'MachinePool',
    clusterClass,
  });
  const { name: clusterName, namespace = '' } = cluster.metadata;
  const current = machinePools.get(group.name)?.object;
  const metadata = metadataOf(group, of, ownLabels(clusterName, TOPOLOGY_LABEL.poolName, group.name));
  const made = poolObjectsOf(blueprint, templates, group.name, current);
  const template = of.naming?.template ?? '{{ .cluster.name }}-{{ .machinePool.topologyName }}-{{ .random }}';
  const variables = { machinePool: { topologyName: group.name } };
  const generated = namedBy(cluster, 'MachinePool', { template, variables }, `pool/${group.name}`);
  const name = current?.metadata.name ?? generated;
  const object = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    metadata: { name, namespace, ...metadata },
    spec: {
      clusterName,
      replicas: group.replicas,
      failureDomains: group.failureDomains ?? of.failureDomains,
      template: { metadata, spec: machineSpec(blueprint, group, of, { version, ...made }) },
    },
  };
  return { topologyName: group.name, object: withoutUndefined(object) as MachinePool, ...made };
};
