/** Instances that a machine names but that do not belong to it; they are left alone. */

import { type AWSMachine, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { withObservation } from '../../../../shared/plan/machines/status.ts';
import { withLegacyCondition } from '../../../../shared/plan/status/legacy-conditions.ts';
import { observed } from '../../../../shared/providers/aws/plan/instance-facts.ts';
import type { withInstance } from '../../../../shared/providers/aws/plan/launch/instance.ts';
import { identityOf, isMachines, notOwnedMessage } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import { fromTagList } from '../../../../shared/providers/aws/tags.ts';
import type { InstanceDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

export type Instance = Parameters<typeof withInstance>[1];

/** Whether EC2's description of an instance proves that it belongs to the machine; see ownershipOf. */
export const isOwn = (machine: Machine, { Tags, ClientToken }: Instance): boolean =>
  isMachines({ tags: fromTagList(Tags), clientToken: ClientToken }, identityOf(machine));

/**
 * Reports on the machine, with a condition and an event, that the instance that it names is left alone. Data about the
 * instance is not recorded: readers of this machine must not see it.
 */
export const refuseForeign = async (
  { objects, clock }: Pick<InstanceDependencies, 'objects' | 'clock'>,
  machine: Machine,
  infrastructure: AWSMachine,
  instanceId: string,
): Promise<void> => {
  const message = notOwnedMessage(instanceId, identityOf(machine));
  const { namespace = '', name } = infrastructure.metadata;
  const now = clock.now();
  const claim = { type: 'InstanceReady', status: 'False', severity: 'Error', message } as const;
  const written = await objects.mutate(kinds.awsMachine, { namespace, name }, (current) =>
    withLegacyCondition(current, { ...claim, reason: 'InstanceNotOwned' }, now),
  );
  if (written)
    await objects.mutate(kinds.machine, { namespace, name: machine.metadata.name }, (current) =>
      current.metadata.uid === machine.metadata.uid ? withObservation(current, observed(written), now) : undefined,
    );
  await recorder({ objects, clock }).warning(infrastructure, 'InstanceNotOwned', message);
};
