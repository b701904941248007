/** The objects of a managed cluster as they can be compared with those of the same cluster elsewhere. */
import type { Api } from '../../../infra/cli/api/client.ts';
import { isObject } from '../../../shared/kube-api/json.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { NAMESPACE, type Provider } from './manifests.ts';
import { type Any, CLUSTER } from './objects.ts';
import { ownedPart } from './owned.ts';

const CORE = 'cluster.x-k8s.io/v1beta2';
const MANAGER = 'capi-topology';

const read = async (api: Api, group: string, plural: string): Promise<Any[]> => {
  const { items } = await api.send<{ items: Any[] }>('GET', `/apis/${group}/namespaces/${NAMESPACE}/${plural}`);
  return items;
};

/** The condition and the plan of an upgrade, as users read them. */
export interface Progress {
  reconciled: string;
  controlPlanePlan: unknown;
  workersPlan: unknown;
}

export interface State {
  /** What the topology applies, by the role of the object. */
  objects: Record<string, unknown>;
  progress: Progress;
  /** Templates of the topology: where a rollout is interrupted, upstream keeps more of them for a while. */
  templates: number;
  /** The Cluster as it was read, with its control plane and its groups of workers. */
  cluster: Any;
  owners: Any[];
}

const LABELS = { group: 'topology.cluster.x-k8s.io/deployment-name', owned: 'topology.cluster.x-k8s.io/owned' };

const isOwned = ({ metadata }: KubeObject): boolean => LABELS.owned in (metadata.labels ?? {});

/** The generated names of a cluster by the roles of their objects. */
const namesOf = (cluster: Any, controlPlane: Any, deployments: readonly Any[]): Record<string, string> => {
  const { infrastructureRef, controlPlaneRef } = cluster.spec;
  const groups = deployments.flatMap((one): [string, string][] => {
    const role = one.metadata.labels[LABELS.group];
    const { bootstrap, infrastructureRef: machines } = one.spec.template.spec;
    return [
      [role, one.metadata.name],
      [`${role} bootstrap`, bootstrap.configRef.name],
      [`${role} machines`, machines.name],
    ];
  });
  return {
    infrastructure: infrastructureRef?.name,
    'control plane': controlPlaneRef?.name,
    'control plane machines': controlPlane?.spec.machineTemplate.spec.infrastructureRef.name,
    ...Object.fromEntries(groups),
  };
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The value with roles instead of generated names, the kinds of AWS for those in memory, and no uids. */
const comparable = (value: unknown, names: Record<string, string>, provider: Provider): unknown => {
  const known = Object.entries(names).filter(([, name]) => name !== undefined);
  // Longer names first: one may begin with another.
  const sorted = known.sort(([, a], [, b]) => b.length - a.length);
  const text = sorted.reduce(
    (all, [role, name]) => all.replaceAll(new RegExp(`${escaped(name)}(?![a-z0-9-])`, 'g'), `<${role}>`),
    JSON.stringify(value) ?? 'null',
  );
  const kinds = provider === 'AWS' ? text : text.replaceAll(/\bDev(?=Cluster|Machine)/g, 'AWS');
  return JSON.parse(kinds.replaceAll(/"uid":"[^"]*"/g, '"uid":"<uid>"'));
};

/**
 * Without the temporary Secret by which upstream finds what it might leave behind; names that follow from the uid of the
 * Cluster make it unnecessary here (decision 59).
 */
const withoutShim = (part: unknown): unknown => {
  if (!isObject(part) || !isObject(part.metadata)) return part;
  const { ownerReferences, ...metadata } = part.metadata;
  const left = ((ownerReferences ?? []) as Any[]).filter(
    ({ kind, name }) => kind !== 'Secret' || name !== 'judged-shim',
  );
  return { ...part, metadata: left.length > 0 ? { ...metadata, ownerReferences: left } : metadata };
};

/** The specs of infrastructure differ by nature. */
const withoutSpec = (part: unknown): unknown => {
  if (!isObject(part)) return part;
  const { spec: _, ...rest } = part;
  return rest;
};

const progressOf = ({ status }: Any): Progress => {
  const found = status?.conditions?.find(({ type }: Any) => type === 'TopologyReconciled');
  return {
    reconciled: [found?.status, found?.reason, found?.message].filter(Boolean).join(' '),
    controlPlanePlan: status?.controlPlane?.upgradePlan ?? [],
    workersPlan: status?.workers?.upgradePlan ?? [],
  };
};

/** The Cluster's own part: the topology controller does not apply it, but writes these fields. */
const clusterPart = ({ metadata, spec }: Any) => ({
  labels: metadata.labels,
  step: metadata.annotations?.['topology.internal.cluster.x-k8s.io/upgrade-step'],
  infrastructureRef: spec.infrastructureRef,
  controlPlaneRef: spec.controlPlaneRef,
  variables: spec.topology.variables,
});

const byName = (objects: readonly Any[], name: string | undefined): Any =>
  objects.find((it) => it.metadata.name === name);

const isTrue = ({ status }: Any, type: string): boolean =>
  status?.conditions?.find((it: Any) => it.type === type)?.status === 'True';

/** Whether a control plane or a group of workers has exactly the machines that it wants. */
const hasItsMachines = ({ metadata, spec, status }: Any): boolean =>
  status?.observedGeneration === metadata.generation &&
  (status.replicas ?? 0) === (spec.replicas ?? 1) &&
  (status.upToDateReplicas ?? 0) === (status.replicas ?? 0);

/** Whether nothing is under way any more. `reason`: what the topology has to say. */
export const isAtRest = ({ cluster, owners }: State, reason: string): boolean => {
  const { generation } = cluster.metadata;
  const found = cluster.status?.conditions?.find(({ type }: Any) => type === 'TopologyReconciled');
  const busy = ['RollingOut', 'ScalingUp', 'ScalingDown'].some((type) => isTrue(cluster, type));
  const isKnown = found?.observedGeneration === generation && cluster.status.observedGeneration === generation;
  return found?.reason === reason && isKnown && isTrue(cluster, 'Available') && !busy && owners.every(hasItsMachines);
};

export const readState = async (api: Api, provider: Provider): Promise<State> => {
  const infrastructure = 'infrastructure.cluster.x-k8s.io/v1beta2';
  const prefix = provider.toLowerCase();
  const [cluster, clusters, controlPlanes, machines, configs, deployments, checks] = await Promise.all([
    api.send<Any>('GET', CLUSTER),
    read(api, infrastructure, `${prefix}clusters`),
    read(api, 'controlplane.cluster.x-k8s.io/v1beta2', 'kubeadmcontrolplanes'),
    read(api, infrastructure, `${prefix}machinetemplates`),
    read(api, 'bootstrap.cluster.x-k8s.io/v1beta2', 'kubeadmconfigtemplates'),
    read(api, CORE, 'machinedeployments'),
    read(api, CORE, 'machinehealthchecks'),
  ]);
  const groups = deployments.filter((one) => isOwned(one) && !one.metadata.deletionTimestamp);
  const controlPlane = byName(controlPlanes, cluster.spec.controlPlaneRef?.name);
  const names = namesOf(cluster, controlPlane, groups);
  const part = (object: Any) => withoutShim(object && ownedPart(object, MANAGER));
  const objects: Record<string, unknown> = {
    cluster: clusterPart(cluster),
    infrastructure: withoutSpec(part(byName(clusters, names.infrastructure))),
    'control plane': part(controlPlane),
    'control plane machines': withoutSpec(part(byName(machines, names['control plane machines']))),
    ...Object.fromEntries(
      groups.flatMap((one): [string, unknown][] => {
        const role = one.metadata.labels[LABELS.group];
        return [
          [role, part(one)],
          [`${role} bootstrap`, part(byName(configs, names[`${role} bootstrap`]))],
          [`${role} machines`, withoutSpec(part(byName(machines, names[`${role} machines`])))],
        ];
      }),
    ),
    'health checks': Object.fromEntries(
      checks.filter(isOwned).map((check) => [check.metadata.name, part(check)] as const),
    ),
  };
  const seen = { objects, progress: progressOf(cluster) };
  const templates = [...machines, ...configs].filter(isOwned).length;
  const owners = [...(controlPlane ? [controlPlane] : []), ...groups];
  return { ...(comparable(seen, names, provider) as Pick<State, 'objects' | 'progress'>), templates, cluster, owners };
};
