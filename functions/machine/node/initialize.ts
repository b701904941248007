import type { V1Node } from '@kubernetes/client-node';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import { otherNodeController } from '../../cluster/cloud-controller.ts';
import type { MachineSnapshot } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

/**
 * Does for an uninitialized node what a cloud controller manager would do, if the cluster has none. Returns whether the
 * node was changed. The provider's data about the instance is in its object, so no call is needed.
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
  // The addresses are set first: as long as the taint exists, a later check sees that the node is not finished.
  const addressed = await client.setNodeAddresses(name, addresses);
  const inCluster = infrastructureCluster?.provider === provider ? infrastructureCluster?.object : undefined;
  await client.patchNode(name, controller.initialization(addressed, object, inCluster ?? null));
  return true;
};
