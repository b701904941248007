/** Reads the objects of a managed cluster in a form that can be compared with those of the same cluster elsewhere. */
import type { Api } from '../../../infra/cli/api/client.ts';
import { find } from '../../../infra/cli/api/resources.ts';
import { isObject } from '../../../shared/kube-api/json.ts';
import { explained, withoutDefaultReasons, withoutEmptyObjects } from './explained.ts';
import { fromManager, ownedPart } from './owned.ts';
import { comparable, namesOf, patternOf } from './roles.ts';
import { type Any, type Provider, pathOf, type Story } from './story.ts';

/** One of the two servers. */
export interface Side {
  api: Api;
  provider: Provider;
}

/** What users see: the condition TopologyReconciled, and the upgrade plans. */
interface Progress {
  reconciled: string;
  controlPlanePlan: unknown;
  workersPlan: unknown;
}

/** The compared data. */
export interface Seen {
  /** What the topology has applied, by the role of the object. */
  objects: Record<string, unknown>;
  /** The generated names without their random parts. */
  names: Record<string, string>;
  progress: Progress;
  classStatus: unknown;
}

export interface State {
  seen: Seen;
  /** The number of the topology's templates. After an interrupted rollout, upstream keeps more of them for a while. */
  templates: number;
  cluster: Any;
  /** The control plane and the groups of workers. */
  owners: Any[];
  machineSets: Any[];
}

const isOwned = ({ metadata }: Any): boolean => 'topology.cluster.x-k8s.io/owned' in (metadata.labels ?? {});

/** The collections, by group, of all objects that a topology creates. */
const collectionsOf = ({ has = [] }: Story, prefix: string): Record<string, string[]> => {
  const [pools, rke2] = [has.includes('pools'), has.includes('rke2')];
  return {
    'cluster.x-k8s.io': ['machinedeployments', 'machinehealthchecks', ...(pools ? ['machinepools'] : [])],
    'controlplane.cluster.x-k8s.io': [rke2 ? 'rke2controlplanes' : 'kubeadmcontrolplanes'],
    'bootstrap.cluster.x-k8s.io': [
      rke2 ? 'rke2configtemplates' : 'kubeadmconfigtemplates',
      ...(pools ? ['kubeadmconfigs'] : []),
    ],
    'infrastructure.cluster.x-k8s.io': [
      `${prefix}clusters`,
      `${prefix}machinetemplates`,
      ...(pools ? [`${prefix}machines`] : []),
    ],
  };
};

/** All objects that the topology of a story has created and that are not being deleted. */
const readOwned = async ({ api, provider }: Side, story: Story): Promise<Any[]> => {
  const collections = Object.entries(collectionsOf(story, provider.toLowerCase()));
  const lists = collections.flatMap(([group, plurals]) =>
    plurals.map(async (plural) => {
      const base = `/apis/${group}/v1beta2/namespaces/${story.name}/${plural}`;
      const { items } = await api.send<{ items: Any[] }>('GET', base);
      return items.map((item) => ({ ...item, base }));
    }),
  );
  return (await Promise.all(lists)).flat().filter((object) => isOwned(object) && !object.metadata.deletionTimestamp);
};

/** What the topology has applied to an object, read in the API version in which it was applied. */
const appliedPart = async ({ api }: Side, { base, ...object }: Any): Promise<unknown> => {
  const { apiVersion } = fromManager(object) ?? object;
  if (apiVersion === object.apiVersion) return ownedPart(object);
  const path = `${base.replace(/^\/apis\/[^/]+\/[^/]+/, `/apis/${apiVersion}`)}/${object.metadata.name}`;
  const part = ownedPart(await api.send<Any>('GET', path));
  return apiVersion?.endsWith('/v1beta1') ? withoutEmptyObjects(part) : part;
};

/**
 * Removes the owner reference to the temporary Secret with which upstream finds objects that it might leave behind.
 * Windlass derives names from the uid of the Cluster, so it does not need this Secret (decision 59).
 */
const withoutShim = (part: unknown, shim: string): unknown => {
  if (!isObject(part) || !isObject(part.metadata)) return part;
  const { ownerReferences, ...metadata } = part.metadata;
  const left = ((ownerReferences ?? []) as Any[]).filter(({ kind, name }) => kind !== 'Secret' || name !== shim);
  return { ...part, metadata: left.length > 0 ? { ...metadata, ownerReferences: left } : metadata };
};

/** Removes the spec of infrastructure objects, which necessarily differs between providers. */
const withoutSpec = (part: unknown): unknown => {
  if (!isObject(part)) return part;
  const { spec: _, ...rest } = part;
  return rest;
};

const progressOf = ({ status }: Any): Progress => {
  const found = status?.conditions?.find(({ type }: Any) => type === 'TopologyReconciled');
  return {
    reconciled: explained([found?.status, found?.reason, found?.message].filter(Boolean).join(' ')),
    controlPlanePlan: status?.controlPlane?.upgradePlan ?? [],
    workersPlan: status?.workers?.upgradePlan ?? [],
  };
};

/** The fields of the Cluster that the topology controller writes, although it does not apply them. */
const clusterPart = ({ metadata, spec }: Any) => ({
  labels: metadata.labels,
  step: metadata.annotations?.['topology.internal.cluster.x-k8s.io/upgrade-step'],
  infrastructureRef: spec.infrastructureRef,
  controlPlaneRef: spec.controlPlaneRef,
  variables: spec.topology.variables,
});

const readClassStatus = async (api: Api, cluster: Any, story: Story): Promise<unknown> => {
  const { name, namespace = story.name } = cluster.spec.topology.classRef;
  const found = await find<Any>(api, pathOf({ plural: 'clusterclasses', name, namespace }, story));
  const { conditions = [], deprecated: _, ...status } = found?.status ?? {};
  const seen = { ...status, conditions: conditions.map(({ lastTransitionTime: __, ...rest }: Any) => rest) };
  return JSON.parse(withoutDefaultReasons(JSON.stringify(seen)));
};

export const readCluster = ({ api }: Side, story: Story): Promise<Any> =>
  api.send<Any>('GET', pathOf({ plural: 'clusters', name: story.cluster }, story));

/** No machines are created upstream if the story uses AWS's kinds there. */
const readMachineSets = async ({ api }: Side, { name, upstream }: Story): Promise<Any[]> => {
  if (upstream === 'AWS') return [];
  const path = `/apis/cluster.x-k8s.io/v1beta2/namespaces/${name}/machinesets`;
  return (await api.send<{ items: Any[] }>('GET', path)).items;
};

const partsOf = async (side: Side, story: Story, owned: readonly Any[], names: Readonly<Record<string, string>>) => {
  const shim = `${story.cluster}-shim`;
  const hasOtherSpecs = story.upstream !== 'AWS';
  const part = async (object: Any) => {
    const applied = withoutShim(object && (await appliedPart(side, object)), shim);
    return hasOtherSpecs && object?.apiVersion.startsWith('infrastructure.') ? withoutSpec(applied) : applied;
  };
  const roles = await Promise.all(
    Object.entries(names).map(async ([role, name]) => {
      const isWanted = ({ kind }: Any) => KINDS_OF_ROLES[role.split(' ').at(-1) ?? '']?.test(kind) ?? GROUPS.test(kind);
      return [role, await part(owned.find((it) => it.metadata.name === name && isWanted(it)))] as const;
    }),
  );
  const checks = owned.filter(({ kind }) => kind === 'MachineHealthCheck');
  const parts = await Promise.all(checks.map(async (check) => [check.metadata.name, await part(check)] as const));
  return { ...Object.fromEntries(roles), 'health checks': Object.fromEntries(parts) };
};

/** The names of the control plane's machines, without their random parts. */
const machineNames = async ({ api }: Side, story: Story): Promise<Record<string, string>> => {
  const ofControlPlane = 'labelSelector=cluster.x-k8s.io%2Fcontrol-plane';
  const path = `/apis/cluster.x-k8s.io/v1beta2/namespaces/${story.name}/machines?${ofControlPlane}`;
  const { items } = await api.send<{ items: Any[] }>('GET', path);
  const patterns = new Set(items.map(({ metadata }) => patternOf(metadata.name)));
  return { 'machines of the control plane': [...patterns].sort().join(' ') };
};

const GROUPS = /^Machine(Deployment|Pool)$/;
const KINDS_OF_ROLES: Readonly<Record<string, RegExp>> = {
  infrastructure: /Cluster$/,
  plane: /ControlPlane$/,
  machines: /Machine(Template)?$/,
  bootstrap: /Config(Template)?$/,
};

export const readState = async (side: Side, story: Story): Promise<State> => {
  const [cluster, owned, machineSets] = await Promise.all([
    readCluster(side, story),
    readOwned(side, story),
    readMachineSets(side, story),
  ]);
  const { provider, api } = side;
  const groups = owned.filter(({ kind }) => GROUPS.test(kind));
  const controlPlane = owned.find(
    ({ kind, metadata }) => kind.endsWith('ControlPlane') && metadata.name === cluster.spec.controlPlaneRef?.name,
  );
  const names = namesOf(cluster, controlPlane, groups);
  const objects = { cluster: clusterPart(cluster), ...(await partsOf(side, story, owned, names)) };
  const classStatus = await readClassStatus(api, cluster, story);
  const seen = { objects, progress: progressOf(cluster), classStatus };
  return {
    seen: {
      ...comparable(seen, names, provider),
      names: {
        ...Object.fromEntries(Object.entries(names).map(([role, name]) => [role, patternOf(name)])),
        // With AWS's kinds, no machines are created.
        ...(story.upstream === 'Dev' ? await machineNames(side, story) : {}),
      },
    },
    templates: owned.filter(({ kind }) => kind.endsWith('Template')).length,
    cluster,
    owners: [...(controlPlane ? [controlPlane] : []), ...groups],
    machineSets,
  };
};

/** What remains of a cluster: the Cluster itself and what its topology has created. */
export const readLeft = async (side: Side, story: Story): Promise<{ cluster: Any; owned: string[] }> => {
  const [cluster, owned] = await Promise.all([
    find<Any>(side.api, pathOf({ plural: 'clusters', name: story.cluster }, story)),
    readOwned(side, story),
  ]);
  return { cluster, owned: owned.map(({ kind, metadata }) => `${kind} ${metadata.name}`) };
};
