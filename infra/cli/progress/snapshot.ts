import { distributionOf } from '../../../shared/distributions/registry.ts';
import type { ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import type {
  AWSCluster,
  Cluster,
  Machine,
  MachineDeployment,
  MachinePool,
  RancherCluster,
} from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { GROUP, LABEL } from '../../../shared/plan/labels.ts';
import { awsName } from '../../../shared/providers/aws/references.ts';
import type { Api } from '../api/answer.ts';
import { find } from '../api/resources.ts';
import type { ClusterName } from './cluster-name.ts';

export type { ClusterName } from './cluster-name.ts';

/** The API's data about one cluster at one moment. A missing object is undefined. */
export interface ClusterSnapshot extends ClusterName {
  cluster?: Cluster;
  /** The Cluster for which it is created. */
  rancher?: RancherCluster;
  infrastructure?: AWSCluster;
  controlPlane?: ControlPlane;
  deployments: readonly MachineDeployment[];
  pools: readonly MachinePool[];
  machines: readonly Machine[];
}

const VERSION = 'v1beta2';

const RANCHER = '/apis/clusterprovisioner.rke.io/v1alpha1/clusters';

const pathOf = (group: string, namespace: string, plural: string): string =>
  `/apis/${group}/${VERSION}/namespaces/${namespace}/${plural}`;

const byName = (a: KubeObject, b: KubeObject): number => (a.metadata.name < b.metadata.name ? -1 : 1);

/** Reads a cluster with all its objects. */
export const readCluster = async (api: Api, { namespace, name, ofRancher }: ClusterName): Promise<ClusterSnapshot> => {
  const selector = `?labelSelector=${encodeURIComponent(`${LABEL.clusterName}=${name}`)}`;
  const list = async <T extends KubeObject>(plural: string): Promise<T[]> => {
    const path = `${pathOf(GROUP.core, namespace, plural)}${selector}`;
    return (await api.send<{ items: T[] }>('GET', path)).items.sort(byName);
  };
  const one = <T>(group: string, plural: string, object: string | undefined): Promise<T | undefined> =>
    object === undefined ? Promise.resolve(undefined) : find<T>(api, `${pathOf(group, namespace, plural)}/${object}`);

  const rancher = ofRancher ? await find<RancherCluster>(api, `${RANCHER}/${name}`) : undefined;
  const cluster = await one<Cluster>(GROUP.core, 'clusters', name);
  const { infrastructureRef, controlPlaneRef } = cluster?.spec ?? {};
  const distribution = distributionOf('controlPlane', controlPlaneRef);
  const [infrastructure, controlPlane, deployments, pools, machines] = await Promise.all([
    one<AWSCluster>(GROUP.infrastructure, 'awsclusters', awsName('cluster', infrastructureRef)),
    one<ControlPlane>(
      GROUP.controlPlane,
      distribution?.controlPlane.plural ?? '',
      distribution && controlPlaneRef?.name,
    ),
    list<MachineDeployment>('machinedeployments'),
    list<MachinePool>('machinepools'),
    list<Machine>('machines'),
  ]);
  const made = { cluster, infrastructure, controlPlane, deployments, pools, machines };
  return { namespace, name, ...made, ...(ofRancher ? { ofRancher, rancher } : {}) };
};
