import { CLUSTER, named, type User } from '../user.ts';
import type { World } from '../world.ts';
import { runningExecution } from './executions.ts';

/** The kinds of objects that a deletion removes. */
const OWNED = [
  ...['Machine', 'AWSMachine', 'KubeadmConfig', 'RKE2Config', 'MachineSet', 'MachinePool', 'AWSMachinePool'],
  ...['AWSCluster', 'KubeadmControlPlane', 'RKE2ControlPlane', 'MachineHealthCheck', 'Secret'],
];

/**
 * Whether the cluster exists without being deleted. After its deletion, a delayed request can create it again, because
 * servers carry out requests that their clients have given up.
 */
export const isAgain = async (user: User): Promise<boolean> => {
  const cluster = await named(user, 'Cluster', CLUSTER);
  return cluster !== undefined && cluster.metadata.deletionTimestamp === undefined;
};

/** What still exists of a deleted cluster; undefined if nothing does. */
export const whatIsLeft = async (user: User, world: World): Promise<string | undefined> => {
  // Executions come first, because reading them needs no request: the complete system handles requests to the API, and
  // most of a lifecycle is waiting.
  const execution = runningExecution(world.laptop.runtime.executions());
  if (execution) return `the execution ${execution} still runs`;
  if ((await user.list('Cluster')).length > 0) return 'the cluster is still there';
  for (const kind of OWNED) {
    const [object] = await user.list(kind);
    if (object) return `the ${kind} ${object.metadata.name} is still there`;
  }
  return undefined;
};
