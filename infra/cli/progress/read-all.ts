import { DISTRIBUTIONS } from '../../../shared/distributions/registry.ts';
import type { ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import type { AWSCluster, Cluster, Machine, MachineDeployment } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { GROUP, LABEL } from '../../../shared/plan/labels.ts';
import { awsName } from '../../../shared/providers/aws/references.ts';
import type { Api } from '../api/client.ts';
import type { ClusterSnapshot } from './snapshot.ts';

const VERSION = 'v1beta2';

interface List<T> {
  items: T[];
  metadata: { resourceVersion: string };
}

const pathOf = (group: string, plural: string): string => `/apis/${group}/${VERSION}/${plural}`;

/** A text that changes with every write to the API, whatever it is about. */
export const readRevision = async (api: Api): Promise<string> =>
  (await api.send<List<Cluster>>('GET', `${pathOf(GROUP.core, 'clusters')}?limit=1`)).metadata.resourceVersion;

const keyOf = ({ metadata }: KubeObject, name = metadata.name): string => `${metadata.namespace}/${name}`;

const byName = (a: KubeObject, b: KubeObject): number => (a.metadata.name < b.metadata.name ? -1 : 1);

/** The clusters of all namespaces with what belongs to them, in one list of each kind. */
export const readAll = async (api: Api): Promise<ClusterSnapshot[]> => {
  const list = async <T extends KubeObject>(group: string, plural: string): Promise<T[]> =>
    (await api.send<List<T>>('GET', pathOf(group, plural))).items.sort(byName);
  const [clusters, deployments, machines, infrastructures, ...controlPlanes] = await Promise.all([
    list<Cluster>(GROUP.core, 'clusters'),
    list<MachineDeployment>(GROUP.core, 'machinedeployments'),
    list<Machine>(GROUP.core, 'machines'),
    list<AWSCluster>(GROUP.infrastructure, 'awsclusters'),
    ...DISTRIBUTIONS.map(({ controlPlane }) => list<ControlPlane>(GROUP.controlPlane, controlPlane.plural)),
  ]);
  const own = <T extends KubeObject>(objects: readonly T[]) =>
    Map.groupBy(objects, (object) => keyOf(object, object.metadata.labels?.[LABEL.clusterName]));
  const [deploymentsOf, machinesOf] = [own(deployments), own(machines)];
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
      machines: machinesOf.get(keyOf(cluster)) ?? [],
    };
  });
};
