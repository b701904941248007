import { strandedMachines } from '../../../../shared/plan/control-plane/initialization.ts';
import type { ControlPlaneFacts } from '../../../../shared/plan/control-plane/plan.ts';
import { readInitHolder } from '../../../machine/objects/init-lock.ts';
import { type ClusterSnapshot, instancesOf } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { controlPlaneRecorder } from '../reasons.ts';

/**
 * The control plane's facts with the machines that depended on a lost initializing machine, which are reported to their
 * owner in an event; unchanged if the control plane is initialized.
 */
export const withStranded = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  facts: ControlPlaneFacts,
): Promise<ControlPlaneFacts> => {
  const { cluster, distribution } = snapshot;
  const { controlPlane, machines } = facts;
  if (!distribution || controlPlane.status?.initialization?.controlPlaneInitialized) return facts;
  const initializer = await readInitHolder(deps.objects, cluster);
  const stranded = strandedMachines({ machines, instances: instancesOf(snapshot), initializer }).map(
    ({ metadata }) => metadata.name,
  );
  if (stranded.length === 0) return facts;
  const message = `Machine ${initializer?.name}, which was to initialize the control plane, was removed before the control plane was observed. Machines that may have joined it are deleted as well: ${stranded.join(', ')}`;
  await controlPlaneRecorder(deps, distribution).warning(controlPlane, 'InitializationLost', message);
  return { ...facts, stranded };
};
