import type { ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import type {
  Cluster,
  Event,
  Machine,
  MachineDeployment,
  MachinePool,
  MachineSet,
} from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { GROUP, LABEL } from '../../../shared/plan/labels.ts';
import type { Api } from '../api/answer.ts';
import { collectionPath, find, listAll, makeFindReferred, namedPath } from '../api/resources.ts';
import type { ClusterName } from '../progress/cluster-name.ts';

/** All objects of one cluster at one moment. Lists are sorted by name. */
export interface ClusterObjects {
  cluster: Cluster;
  infrastructure?: KubeObject;
  controlPlane?: ControlPlane;
  deployments: readonly MachineDeployment[];
  sets: readonly MachineSet[];
  pools: readonly MachinePool[];
  machines: readonly Machine[];
  /** The infrastructure objects of machines, by the name of the Machine. */
  instances: ReadonlyMap<string, KubeObject>;
  /** Events of the objects above, oldest first. */
  events: readonly Event[];
}

/** The objects without their events. */
export const objectsIn = (found: Omit<ClusterObjects, 'events'>): KubeObject[] => {
  const { cluster, infrastructure, controlPlane, deployments, sets, pools, machines, instances } = found;
  const all = [cluster, infrastructure, controlPlane, ...deployments, ...sets, ...pools, ...machines];
  return [...all, ...instances.values()].filter((one) => one !== undefined);
};

type FindReferred = ReturnType<typeof makeFindReferred>;

type Reference = NonNullable<Cluster['spec']['infrastructureRef']>;

const CORE = `/apis/${GROUP.core}/v1beta2`;

const byName = (a: KubeObject, b: KubeObject): number => (a.metadata.name < b.metadata.name ? -1 : 1);

/** When an event was last seen: RFC 3339, or empty. */
export const lastSeen = ({ eventTime, series, lastTimestamp, metadata }: Event): string =>
  series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';

/** The times of events are in full seconds: within a second, the order of the writes decides. */
export const byTime = (a: Event, b: Event): number =>
  Date.parse(lastSeen(a)) - Date.parse(lastSeen(b)) ||
  Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion);

const makeReads = (api: Api, { namespace, name }: ClusterName, findReferred: FindReferred) => {
  const selector = `${LABEL.clusterName}=${name}`;
  const pathOf = async (reference: Pick<Reference, 'apiGroup' | 'kind'>): Promise<string | undefined> => {
    const resource = await findReferred(reference);
    return resource && collectionPath(resource, namespace);
  };
  const itemsOf = async <T extends KubeObject>(path: string): Promise<T[]> =>
    (await listAll<T>(api, path, selector)).sort(byName);
  return {
    list: <T extends KubeObject>(plural: string): Promise<T[]> =>
      itemsOf<T>(`${CORE}/namespaces/${namespace}/${plural}`),
    referred: async <T extends KubeObject>(reference: Reference | undefined): Promise<T | undefined> => {
      const path = reference && (await pathOf(reference));
      return path === undefined ? undefined : find<T>(api, `${path}/${reference?.name}`);
    },
    listReferred: async (reference: Pick<Reference, 'apiGroup' | 'kind'>): Promise<KubeObject[]> => {
      const path = await pathOf(reference);
      return path === undefined ? [] : itemsOf(path);
    },
  };
};

/** The infrastructure objects of machines: one list for each kind that a machine refers to. */
const readInstances = async (
  { listReferred }: ReturnType<typeof makeReads>,
  machines: readonly Machine[],
): Promise<Map<string, KubeObject>> => {
  const references = machines.flatMap(({ metadata, spec }) => {
    const reference = spec.infrastructureRef as Reference | undefined;
    return reference ? [{ machine: metadata.name, reference }] : [];
  });
  const kinds = Map.groupBy(references, ({ reference: { apiGroup, kind } }) => `${apiGroup}/${kind}`);
  const found = await Promise.all(
    [...kinds.values()].map(async (all) => {
      const objects = all[0] ? await listReferred(all[0].reference) : [];
      const named = new Map(objects.map((object) => [object.metadata.name, object]));
      return all.flatMap(({ machine, reference }) => {
        const object = named.get(reference.name);
        return object ? [[machine, object] as const] : [];
      });
    }),
  );
  return new Map(found.flat());
};

/** The events of these objects. */
const readEvents = async (api: Api, namespace: string, objects: readonly KubeObject[]): Promise<Event[]> => {
  const items = await listAll<Event>(api, `/api/v1/namespaces/${namespace}/events`);
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  return items.filter(({ involvedObject }) => uids.has(involvedObject?.uid)).sort(byTime);
};

/**
 * Reads a cluster with all its objects, in about eight requests; undefined if there is no such cluster. For repeated
 * reads, keep `findReferred`, which caches the kinds.
 */
export const readObjects = async (
  api: Api,
  cluster: ClusterName,
  findReferred: FindReferred = makeFindReferred(api),
): Promise<ClusterObjects | undefined> => {
  const { namespace } = cluster;
  const reads = makeReads(api, cluster, findReferred);
  const object = await find<Cluster>(api, namedPath(CORE, 'clusters', cluster));
  if (object === undefined) return undefined;
  const { infrastructureRef, controlPlaneRef } = object.spec;
  const [infrastructure, controlPlane, deployments, sets, pools, machines] = await Promise.all([
    reads.referred(infrastructureRef),
    reads.referred<ControlPlane>(controlPlaneRef),
    reads.list<MachineDeployment>('machinedeployments'),
    reads.list<MachineSet>('machinesets'),
    reads.list<MachinePool>('machinepools'),
    reads.list<Machine>('machines'),
  ]);
  const instances = await readInstances(reads, machines);
  const found = { cluster: object, infrastructure, controlPlane, deployments, sets, pools, machines, instances };
  return { ...found, events: await readEvents(api, namespace, objectsIn(found)) };
};
