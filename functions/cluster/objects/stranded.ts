import { recordEvent } from '../../../shared/events/record.ts';
import { strandedMachines } from '../../../shared/plan/control-plane/initialization.ts';
import type { ControlPlaneFacts } from '../../../shared/plan/control-plane/plan.ts';
import { mayHaveJoined } from '../../../shared/providers/aws/plan/launch/frozen.ts';
import { readInitHolder } from '../../machine/objects/init-lock.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';

/**
 * The facts of a control plane with the machines that lost the one that initialized it, and a word of it to its owner; as
 * they are where it is initialized.
 */
export const withStranded = async (
  { objects, clock }: ObjectsDependencies,
  { cluster, awsMachines, distribution }: ClusterSnapshot,
  facts: ControlPlaneFacts,
): Promise<ControlPlaneFacts> => {
  const { controlPlane, machines } = facts;
  if (!distribution || controlPlane.status?.initialization?.controlPlaneInitialized) return facts;
  const initializer = await readInitHolder(objects, cluster);
  const stranded = strandedMachines({
    machines,
    mayHaveJoined: ({ metadata }) => mayHaveJoined(awsMachines.get(metadata.name)),
    initializer,
  }).map(({ metadata }) => metadata.name);
  if (stranded.length === 0) return facts;
  const message = `Machine ${initializer}, which was to initialize the control plane, is gone before the control plane was seen; those that may have joined it go, too: ${stranded.join(', ')}`;
  const happening = { type: 'Warning', reason: 'InitializationLost', message } as const;
  await recordEvent(objects, { regarding: controlPlane, component: distribution.component, ...happening }, clock);
  return { ...facts, stranded };
};
