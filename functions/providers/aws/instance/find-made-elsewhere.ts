import type { AWSMachine, Machine } from '../../../../shared/kinds/index.ts';
import { CONTROLLERS } from '../../../../shared/kube-api/storage/object-client.ts';
import { MACHINE_UID_TAG } from '../../../../shared/providers/aws/plan/launch/request.ts';
import type { InstanceDependencies } from './dependencies.ts';
import type { Instance } from './ownership.ts';
import { isOwn } from './ownership.ts';

/** Whether another client wrote the object, so that its instance may exist without a record of ours. */
const isFromElsewhere = ({ metadata }: AWSMachine): boolean =>
  metadata.managedFields?.some(({ manager }) => manager !== CONTROLLERS) !== false;

/** Live instances with the tags of the machine's cluster and the Machine's own uid. */
export const findByUid = async ({ ec2 }: Pick<InstanceDependencies, 'ec2'>, machine: Machine): Promise<Instance[]> => {
  const found = await ec2.findByTag(MACHINE_UID_TAG, machine.metadata.uid ?? '');
  return found.filter((instance) => isOwn(machine, instance) && ALIVE.has(instance.State?.Name));
};

const ALIVE = new Set<string | undefined>(['pending', 'running', 'stopping', 'stopped']);

/**
 * Live instances of an AWSMachine that was moved here without the id of its instance: those with its name and the tags
 * of its cluster, as upstream finds them (GetRunningInstanceByTags). They must also name the Machine and its namespace.
 * None for machines that were created here, because their launch is recorded before it happens.
 */
export const findMadeElsewhere = async (
  { ec2 }: Pick<InstanceDependencies, 'ec2'>,
  machine: Machine,
  infrastructure: AWSMachine,
): Promise<Instance[]> => {
  if (!isFromElsewhere(infrastructure)) return [];
  const found = await ec2.findByTag('Name', infrastructure.metadata.name);
  return found.filter((instance) => isOwn(machine, instance) && ALIVE.has(instance.State?.Name));
};
