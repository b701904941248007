import type { Machine } from '../../kinds/index.ts';
import type { ControlPlanePlan, MachineIntent } from './plan.ts';

/** One change of a control plane's machines. */
export type ControlPlaneOperation =
  /** The machine's own execution removes it from etcd before the instance is terminated. */
  | { do: 'delete-machine'; name: string }
  /**
   * Creates machines with all their objects, and the missing objects of `incomplete`, which an interrupted pass has
   * left out. `endsRemediation`: a new machine completes the remediation in progress.
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

/** The operations of a control plane's plan, in the order in which they are carried out, one after the other. */
export const controlPlaneOperations = ({
  plan,
  incomplete,
  isReplacing,
}: ControlPlaneOperationFacts): ControlPlaneOperation[] => {
  const deletions = (plan.remove ?? []).map((name): ControlPlaneOperation => ({ do: 'delete-machine', name }));
  if (plan.create.length + incomplete.length === 0) return deletions;
  return [...deletions, { do: 'make-machines', wanted: plan.create, incomplete, endsRemediation: isReplacing }];
};
