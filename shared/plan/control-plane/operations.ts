import type { Machine } from '../../kinds/index.ts';
import type { ControlPlanePlan, MachineIntent } from './plan.ts';

/** One change of a control plane's machines. */
export type ControlPlaneOperation =
  /** Its own execution removes the machine from etcd before the instance is terminated. */
  | { do: 'delete-machine'; name: string }
  /**
   * Machines are created with all their objects, and those of `incomplete` that a killed pass omitted.
   * `endsRemediation`: a new machine completes the remediation in progress.
   */
  | {
      do: 'make-machines';
      wanted: readonly MachineIntent[];
      incomplete: readonly Machine[];
      endsRemediation: boolean;
    };

export interface ControlPlaneOperationFacts {
  plan: ControlPlanePlan;
  /** The machines that lack some of their objects. */
  incomplete: readonly Machine[];
  /** A remediation waits for the machine that completes it. */
  isReplacing: boolean;
}

/** What a control plane's plan does, in the order in which it is to be done, one after the other. */
export const controlPlaneOperations = ({
  plan,
  incomplete,
  isReplacing,
}: ControlPlaneOperationFacts): ControlPlaneOperation[] => {
  const deletions = (plan.remove ?? []).map((name): ControlPlaneOperation => ({ do: 'delete-machine', name }));
  if (plan.create.length + incomplete.length === 0) return deletions;
  return [...deletions, { do: 'make-machines', wanted: plan.create, incomplete, endsRemediation: isReplacing }];
};
