import type { Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ConditionClaim } from '../../../shared/plan/status/conditions.ts';
import { isObjectPaused, pausedClaim } from '../../../shared/plan/status/paused.ts';
import type { ClusterSnapshot } from '../snapshot.ts';

/** A machine and its infrastructure; that of an external provider is paused by its own controller. */
const partsOf = ({ infrastructureMachines }: ClusterSnapshot, machine: Machine): KubeObject[] => {
  const { provider, object } = infrastructureMachines.get(machine.metadata.name) ?? {};
  return [machine, ...(object && provider?.isOutside !== true ? [object] : [])];
};

/** Whether an annotation on a machine or its infrastructure holds back its launch and its removal. */
export const isMachinePaused = (snapshot: ClusterSnapshot, machine: Machine): boolean =>
  partsOf(snapshot, machine).some(isObjectPaused);

export const machinePausedClaim = (snapshot: ClusterSnapshot, machine: Machine): ConditionClaim =>
  pausedClaim(snapshot.cluster, ...partsOf(snapshot, machine));
