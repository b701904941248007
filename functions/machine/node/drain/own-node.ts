/**
 * Whether a node is (still) the machine's own. When an instance ends, its address, and with it the name of its node,
 * may pass to the next one in its subnet.
 */
import type { V1Node } from '@kubernetes/client-node';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { DrainNode } from '../../../../shared/plan/drain/facts.ts';
import { isOlder } from '../../../../shared/plan/machines/copies.ts';
import { mayBeNodeOf } from '../../../../shared/providers/node-claims.ts';
import type { WorkloadClient } from '../../../../shared/workload/client.ts';
import { readInfrastructure } from '../../../cluster/snapshot.ts';
import type { Look } from './look.ts';

/**
 * Whether a node without a provider id is that of another machine: one whose instance has its name, too, and has not
 * ended, and that is not being deleted, or is younger. This reads the machines of the cluster, which is rarely
 * necessary: nodes have no provider id for a few seconds.
 */
export const isOfNewerMachine = async (
  { deps: { objects }, input: { machine: ref }, machine }: Pick<Look, 'deps' | 'input' | 'machine'>,
  node: V1Node,
): Promise<boolean> => {
  if (node.spec?.providerID) return false;
  const cluster = { namespace: ref.namespace, name: ref.clusterName };
  const reading = objects.listOfCluster(kinds.machine, cluster.namespace, cluster.name);
  const [machines, infrastructure] = await Promise.all([reading, readInfrastructure(objects, cluster, reading)]);
  const isClaimedBy = ({ metadata }: Machine): boolean => {
    const other = infrastructure.get(metadata.name);
    return other !== undefined && mayBeNodeOf(node, other, machine.spec.providerID);
  };
  return machines
    .filter(({ metadata }) => metadata.uid !== machine.metadata.uid)
    .filter((other) => !other.metadata.deletionTimestamp || isOlder(machine, other))
    .some(isClaimedBy);
};

/**
 * The machine's node; undefined if it is gone. It is also gone if the node of that name belongs to another machine,
 * according to its provider id or, as long as it has none, its name.
 */
export const ownNode = async (
  look: Pick<Look, 'deps' | 'input' | 'machine'>,
  client: Pick<WorkloadClient, 'nodes' | 'drain'>,
  name: string,
): Promise<DrainNode | undefined> => {
  const { providerID } = look.machine.spec;
  const node = await client.drain.node(name);
  if (!node || (node.providerId && providerID && node.providerId !== providerID)) return undefined;
  if (node.providerId) return node;
  const whole = (await client.nodes()).find(({ metadata }) => metadata?.name === name);
  return whole && (await isOfNewerMachine(look, whole)) ? undefined : node;
};
