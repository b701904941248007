/** Objects that no fault may remove: those that users have written, and the Secrets of the cluster. */
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { TOPOLOGY_LABEL } from '../../../../shared/plan/topology/objects.ts';

const KINDS = new Set([
  ...['Cluster', 'ClusterClass', 'AWSClusterTemplate', 'KubeadmControlPlaneTemplate', 'AWSMachineTemplate'],
  ...['KubeadmConfigTemplate', 'RKE2ConfigTemplate', 'AWSCluster', 'KubeadmControlPlane', 'RKE2ControlPlane'],
  ...['MachineDeployment', 'MachinePool', 'AWSMachinePool', 'MachineHealthCheck', 'Secret'],
]);
const CONFIGS = ['KubeadmConfig', 'RKE2Config'];

/** Bootstrap data have the names of machines, and objects of a topology have random names. */
const isNamedByUser = ({ metadata: { labels = {}, ownerReferences = [] } }: KubeObject): boolean =>
  !(TOPOLOGY_LABEL.owned in labels) && !ownerReferences.some(({ kind }) => CONFIGS.includes(kind));

/** The names of these objects; equal for two lifecycles that end in the same state. */
export const writtenObjects = (objects: readonly KubeObject[]): string =>
  objects
    .filter((one) => KINDS.has(one.kind) && one.metadata.namespace === 'default' && isNamedByUser(one))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    .sort()
    .join(', ');
