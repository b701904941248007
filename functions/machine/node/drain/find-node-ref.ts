import type { V1Node } from '@kubernetes/client-node';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { copiesIn } from '../../../../shared/plan/machines/copies.ts';
import { findNode } from '../../../../shared/plan/machines/node.ts';
import { machineKey } from '../../read-machine.ts';
import { whyNot } from './drain-error.ts';
import { type Look, withWorkload } from './look.ts';
import { isOfNewerMachine } from './own-node.ts';

const nodeOf = (nodes: readonly V1Node[], { snapshot: { infrastructureMachine }, machine }: Omit<Look, 'deps'>) =>
  findNode(nodes, machine.spec.providerID) ??
  infrastructureMachine?.provider.findNode(nodes, infrastructureMachine.object);

const isOfAnother = async ({ deps: { objects }, input: { machine: ref }, machine }: Look): Promise<boolean> => {
  const machines = await objects.listOfCluster(kinds.machine, ref.namespace, ref.clusterName);
  return copiesIn(machines).has(machine.metadata.uid ?? '');
};

/**
 * A machine that is deleted before its node was observed may still have one; a node that is not initialized yet can be
 * identified only by its name. Checks once. If no API server answers, continues without a node, because nothing is
 * known to run on it. Returns the current machine.
 */
export const findNodeRef = async (look: Look): Promise<Machine> => {
  const { deps, input, snapshot, machine } = look;
  const providerId = machine.spec.providerID ?? snapshot.infrastructureMachine?.object.spec.providerID;
  if (machine.status?.nodeRef || !providerId || snapshot.cluster?.metadata.deletionTimestamp) return machine;
  try {
    const node = nodeOf(await withWorkload(look, (client) => client.nodes()), look);
    if (!node || (await isOfAnother(look)) || (await isOfNewerMachine(look, node))) return machine;
    const nodeRef = { name: node.metadata?.name ?? '' };
    const change = (current: Machine) => ({ ...current, status: { ...current.status, nodeRef } });
    return (await deps.objects.mutate(kinds.machine, machineKey(input.machine), change)) ?? machine;
  } catch (error) {
    if (whyNot(error) === undefined) throw error;
    return machine;
  }
};
