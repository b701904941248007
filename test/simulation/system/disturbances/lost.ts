/** Objects that no change deletes, and that must exist at the end. */
import type { ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import type { Cluster, MachineDeployment } from '../../../../shared/kinds/index.ts';
import { TOPOLOGY_LABEL } from '../../../../shared/plan/topology/objects.ts';
import { DEPLOYMENT, type User } from '../user.ts';
import type { Place } from './change.ts';

/** An empty cluster does not count as a cluster in its desired state. */
export const lost = (
  cluster: Cluster | undefined,
  owners: readonly ControlPlane[],
  deployments: readonly MachineDeployment[],
): string[] => {
  if (cluster === undefined) return ['there is no Cluster'];
  const isThere = cluster.spec.topology || deployments.some(({ metadata }) => metadata.name === DEPLOYMENT);
  return [
    ...(owners.length === 1 ? [] : [`there are ${owners.length} control planes`]),
    ...(isThere ? [] : ['there is no MachineDeployment']),
  ];
};

/** Kinds of objects that users have written, and to which others refer. */
const REFERRED = [
  ...['ClusterClass', 'AWSClusterTemplate', 'KubeadmControlPlaneTemplate'],
  ...['AWSMachineTemplate', 'KubeadmConfigTemplate', 'RKE2ConfigTemplate', 'AWSCluster'],
];

/** Without the objects of a topology, which it may replace. */
export const referredObjects = async (user: User): Promise<string[]> => {
  const found: string[] = [];
  for (const kind of REFERRED)
    for (const { metadata } of await user.list(kind))
      if (!(TOPOLOGY_LABEL.owned in (metadata.labels ?? {}))) found.push(`${kind} ${metadata.name}`);
  return found;
};

export const missing = async ({ user, referred }: Place): Promise<string[]> => {
  const found = await referredObjects(user);
  return referred.filter((one) => !found.includes(one)).map((one) => `${one} is gone`);
};
