import type { V1Node } from '@kubernetes/client-node';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import { isNodeOfAnother } from '../../../shared/providers/node-claims.ts';
import type { ProvidedMachine } from '../../../shared/providers/registry.ts';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import { otherNodeController } from '../../cluster/cloud-controller.ts';
import { readInfrastructure } from '../../cluster/snapshot.ts';
import type { MachineSnapshot } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

/** The infrastructure of all machines of the cluster; see instancesIn. */
export type Instances = () => Promise<Iterable<ProvidedMachine>>;

/** Reads them when they are needed, but only once. */
export const instancesIn = ({ objects }: Pick<NodeDependencies, 'objects'>, { metadata }: Cluster): Instances => {
  const cluster = { namespace: metadata.namespace ?? '', name: metadata.name };
  let reading: Promise<ReadonlyMap<string, ProvidedMachine>> | undefined;
  return async () => {
    reading ??= readInfrastructure(
      objects,
      cluster,
      objects.listOfCluster(kinds.machine, cluster.namespace, cluster.name),
    );
    return (await reading).values();
  };
};

/**
 * Does for an uninitialized node what a cloud controller manager would do, if the cluster has none. Returns whether the
 * node was changed. The provider's data about the instance is in its object, so no call to it is needed. A node that may
 * be that of another instance is left to the machine of that one.
 */
export const initializeNode = async (
  deps: NodeDependencies,
  client: WorkloadClient,
  { machine, infrastructureMachine, cluster, infrastructureCluster }: MachineSnapshot,
  nodes: readonly V1Node[],
  instances: Instances,
): Promise<boolean> => {
  if (!infrastructureMachine || infrastructureMachine.facts.gone) return false;
  const { provider, object } = infrastructureMachine;
  const { nodeController: controller } = provider;
  const node = controller?.uninitialized(nodes, object);
  if (!controller || !node || !cluster || (await otherNodeController(deps.objects, client, cluster))) return false;
  if (!node.spec?.providerID && isNodeOfAnother(node, infrastructureMachine, await instances())) return false;
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
