import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { claimantOf } from '../../../shared/plan/machines/copies.ts';
import { withLostController } from '../../../shared/plan/machines/ownership.ts';
import { hasController } from '../../../shared/plan/workers/adoption.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import { type MachineSnapshot, readMachine } from '../read-machine.ts';

/** An object to which a machine refers, and the name in the same field of any machine. */
interface Part {
  resource: ResourceDefinition;
  object: KubeObject;
  nameOf(machine: Machine): string | undefined;
}

const openParts = ({ infrastructureMachine, config, distribution }: MachineSnapshot): Part[] => {
  const parts: Part[] = [];
  if (infrastructureMachine && !infrastructureMachine.provider.isOutside) {
    const { provider, object } = infrastructureMachine;
    const resource = provider.machine as ResourceDefinition;
    parts.push({ resource, object, nameOf: ({ spec }) => spec.infrastructureRef.name });
  }
  if (config && distribution && !distribution.isOutside) {
    const resource = distribution.config as ResourceDefinition;
    parts.push({ resource, object: config, nameOf: ({ spec }) => spec.bootstrap.configRef?.name });
  }
  return parts.filter(({ object }) => !hasController(object));
};

/**
 * A machine with its objects, before an execution uses them. What has lost its controller, and is another machine's by its
 * name or age, gets that machine as its controller again: the execution of a copy would launch into it, or end its
 * instance. The machines of the cluster are listed only while an object has no controller.
 */
export const readOwnMachine = async (objects: ObjectClient, ref: MachineRef): Promise<MachineSnapshot | undefined> => {
  const snapshot = await readMachine(objects, ref);
  const open = snapshot ? openParts(snapshot) : [];
  if (!snapshot || open.length === 0) return snapshot;
  const { machine } = snapshot;
  const machines = await objects.listOfCluster(kinds.machine, ref.namespace, ref.clusterName);
  const others = open.flatMap((part) => {
    const naming = machines.filter((other) => part.nameOf(other) === part.object.metadata.name);
    const owner = claimantOf(part.object, machine, naming);
    return owner === machine ? [] : [{ ...part, owner }];
  });
  if (others.length === 0) return snapshot;
  for (const { resource, object, owner } of others) {
    const change = (current: KubeObject) => (hasController(current) ? undefined : withLostController(current, owner));
    await objects.mutate(resource, object, change, { from: object });
  }
  return readMachine(objects, ref);
};
