import { DISTRIBUTIONS } from '../../../shared/distributions/registry.ts';
import type { ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import type { AWSCluster, Cluster, Machine, MachineDeployment, MachinePool } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { GROUP, LABEL } from '../../../shared/plan/labels.ts';
import { awsName } from '../../../shared/providers/aws/references.ts';
import type { Api } from '../api/client.ts';
import { listAll, readRevision } from '../api/resources.ts';
import type { ClusterSnapshot } from './snapshot.ts';

const VERSION = 'v1beta2';

const pathOf = (group: string, plural: string): string => `/apis/${group}/${VERSION}/${plural}`;

const keyOf = ({ metadata }: KubeObject, name = metadata.name): string => `${metadata.namespace}/${name}`;

const byName = (a: KubeObject, b: KubeObject): number => (a.metadata.name < b.metadata.name ? -1 : 1);

type Lists = [Cluster[], MachineDeployment[], MachinePool[], Machine[], AWSCluster[], ...ControlPlane[][]];

/**
 * Lists of each kind, which are read again only after a write to an object of the kind: each kind has its own version
 * counter.
 */
const makeLists = (api: Api) => {
  const known = new Map<string, { revision: string; items: KubeObject[] }>();
  return async <T extends KubeObject>(group: string, plural: string): Promise<T[]> => {
    const path = pathOf(group, plural);
    // Before the list: a write in between is read once more, but not missed.
    const revision = await readRevision(api, path);
    const before = known.get(path);
    if (before?.revision === revision) return before.items as T[];
    const items = (await listAll<T>(api, path)).sort(byName);
    known.set(path, { revision, items });
    return items;
  };
};

const snapshotsOf = ([
  clusters,
  deployments,
  pools,
  machines,
  infrastructures,
  ...controlPlanes
]: Lists): ClusterSnapshot[] => {
  const own = <T extends KubeObject>(objects: readonly T[]) =>
    Map.groupBy(objects, (object) => keyOf(object, object.metadata.labels?.[LABEL.clusterName]));
  const [deploymentsOf, poolsOf, machinesOf] = [own(deployments), own(pools), own(machines)];
  return clusters.map((cluster) => {
    const { infrastructureRef, controlPlaneRef } = cluster.spec;
    const awsCluster = keyOf(cluster, awsName('cluster', infrastructureRef));
    return {
      namespace: cluster.metadata.namespace ?? '',
      name: cluster.metadata.name,
      cluster,
      infrastructure: infrastructures.find((one) => keyOf(one) === awsCluster),
      controlPlane: controlPlanes
        .flat()
        .find((one) => one.kind === controlPlaneRef?.kind && keyOf(one) === keyOf(cluster, controlPlaneRef.name)),
      deployments: deploymentsOf.get(keyOf(cluster)) ?? [],
      pools: poolsOf.get(keyOf(cluster)) ?? [],
      machines: machinesOf.get(keyOf(cluster)) ?? [],
    };
  });
};

/** Reads the clusters of all namespaces with their objects. Returns the same array as before if nothing was written. */
export const makeReadAll = (api: Api): (() => Promise<readonly ClusterSnapshot[]>) => {
  const list = makeLists(api);
  let lists: Lists | undefined;
  let snapshots: readonly ClusterSnapshot[] = [];
  return async () => {
    const found: Lists = await Promise.all([
      list<Cluster>(GROUP.core, 'clusters'),
      list<MachineDeployment>(GROUP.core, 'machinedeployments'),
      list<MachinePool>(GROUP.core, 'machinepools'),
      list<Machine>(GROUP.core, 'machines'),
      list<AWSCluster>(GROUP.infrastructure, 'awsclusters'),
      ...DISTRIBUTIONS.map(({ controlPlane }) => list<ControlPlane>(GROUP.controlPlane, controlPlane.plural)),
    ]);
    if (!lists || found.some((one, index) => one !== lists?.[index])) snapshots = snapshotsOf(found);
    lists = found;
    return snapshots;
  };
};
