import {
  type Cluster,
  type HostCluster,
  kinds,
  type Namespace,
  type RancherCluster,
} from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { Standing } from '../../../shared/plan/rancher/changes.ts';
import { partsOf } from '../../../shared/plan/rancher/names.ts';
import { isTrue } from '../../../shared/plan/status/conditions.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';
import { isControlledBy } from '../owners.ts';

/** The Cluster of Rancher's group, if its uid is still the expected one. */
export const readRancher = async (
  objects: Pick<ObjectClient, 'get'>,
  { name, uid }: ClusterRef,
): Promise<RancherCluster | undefined> => {
  const found = await objects.get(kinds.rancherCluster, { namespace: '', name });
  return found?.metadata.uid === uid ? found : undefined;
};

/** Everything that was created for a Cluster of Rancher's group, provided that the namespace belongs to it. */
export interface Made extends Standing {
  cluster: RancherCluster;
  namespace: Namespace | undefined;
  /** Whether the namespace may be used: it does not exist, or was created for this Cluster. */
  isOwn: boolean;
  /** The Cluster of Cluster API; undefined if there is none. */
  made: Cluster | undefined;
  hostCluster: HostCluster | undefined;
  /** Whether more nodes can join the control plane. */
  isInitialized: boolean;
}

const NOTHING = {
  ...{ made: undefined, hostCluster: undefined, controlPlane: undefined, deployment: undefined },
  ...{ hosts: [], machines: [], isInitialized: false },
};

/** Reads what was created for a Cluster. Empty if the namespace does not belong to it. */
export const readMade = async (objects: ObjectClient, cluster: RancherCluster): Promise<Made> => {
  const { namespace, name, controlPlane, workers } = partsOf(cluster);
  const found = await objects.get(kinds.namespace, { namespace: '', name: namespace });
  if (!found) return { ...NOTHING, cluster, namespace: undefined, isOwn: true };
  if (!isControlledBy(found, cluster)) return { ...NOTHING, cluster, namespace: found, isOwn: false };
  const [made, hostCluster, servers, deployment, hosts, machines] = await Promise.all([
    objects.get(kinds.cluster, { namespace, name }),
    objects.get(kinds.hostCluster, { namespace, name }),
    objects.get(kinds.rke2ControlPlane, { namespace, name: controlPlane }),
    objects.get(kinds.machineDeployment, { namespace, name: workers }),
    objects.list(kinds.host, namespace),
    objects.listOfCluster(kinds.machine, namespace, name),
  ]);
  const isInitialized = isTrue(made?.status?.conditions, 'ControlPlaneInitialized');
  const all = { made, hostCluster, controlPlane: servers, deployment, hosts, machines, isInitialized };
  return { ...all, cluster, namespace: found, isOwn: true };
};
