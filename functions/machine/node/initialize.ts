import type { V1Node } from '@kubernetes/client-node';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import { otherNodeController } from '../../cluster/cloud-controller.ts';
import type { MachineSnapshot } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

/**
 * Does for a node that waits to be initialized what a cloud controller manager would do, where the cluster has none.
 * Returns whether the node was changed. What the provider knows of the instance is on its object, so that it is not asked.
 */
export const initializeNode = async (
  deps: NodeDependencies,
  client: WorkloadClient,
  { machine, infrastructureMachine, cluster, infrastructureCluster }: MachineSnapshot,
  nodes: readonly V1Node[],
): Promise<boolean> => {
  const { provider, object } = infrastructureMachine ?? {};
  const controller = provider?.nodeController;
  const node = object && controller?.uninitialized(nodes, object);
  if (!controller || !node || !cluster || (await otherNodeController(deps.objects, client, cluster))) return false;
  const name = node.metadata?.name ?? '';
  const addresses = controller.addresses(node, object);
  if (typeof addresses === 'string') {
    await recorder(deps).warning(machine, 'NodeNotInitialized', `Node ${name} is not initialized: ${addresses}`);
  }
  if (!Array.isArray(addresses)) return false;
  // The addresses first: by the taint a later look knows that it is not done yet.
  const addressed = await client.setNodeAddresses(name, addresses);
  const inCluster = infrastructureCluster?.provider === provider ? infrastructureCluster?.object : undefined;
  await client.patchNode(name, controller.initialization(addressed, object, inCluster ?? null));
  return true;
};
