/** A user who deletes all objects of the cluster at once. */
import { type User, unlessGone } from '../user.ts';

/** The kinds of a cluster's objects. Infrastructure comes first, because the deletion of the others needs it. */
const EVERYTHING = [
  'AWSMachinePool',
  'AWSMachine',
  'AWSCluster',
  'AWSMachineTemplate',
  'KubeadmConfig',
  'RKE2Config',
  'KubeadmConfigTemplate',
  'MachinePool',
  'Machine',
  'MachineSet',
  'MachineDeployment',
  'KubeadmControlPlane',
  'RKE2ControlPlane',
  'MachineHealthCheck',
  'Cluster',
];

export const deleteEverything = async (user: User): Promise<void> => {
  for (const kind of EVERYTHING)
    for (const { metadata } of await user.list(kind)) await user.remove(kind, metadata.name).catch(unlessGone);
};
