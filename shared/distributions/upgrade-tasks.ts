import type { ControlPlane } from '../kinds/contract-objects.ts';
import type { AnyObject } from '../workload/client.ts';

/** The parts of a distribution inside the workload cluster cannot be updated. Only a user can help. */
export class UpgradeTaskRefusedError extends Error {
  override readonly name = 'UpgradeTaskRefused';
}

/** One write in the workload cluster: an object to create, or an object to change. */
export type Change = { ensure: AnyObject } | { replace: AnyObject };

/** Objects of the workload cluster and the changes to them. */
export interface UpgradeTask {
  /** The objects that are read beforehand. */
  objects: readonly AnyObject[];
  /**
   * The changes, in order. `found` are the current objects, in the order of `objects`, and undefined for missing ones.
   * Later changes of an object build on earlier ones. Throws UpgradeTaskRefusedError.
   */
  plan(controlPlane: ControlPlane, found: readonly (AnyObject | undefined)[]): Change[];
}

/** What must be updated in the workload cluster when the control plane's spec changes, and when. */
export interface UpgradeTasks {
  /**
   * The part of a control plane machine's configuration that joining machines read there, and not in their own
   * configuration.
   */
  joinsWith: string;
  /** Done before an outdated machine is replaced: updates what machines read when they join. */
  beforeRollout: UpgradeTask;
  /** Done when all machines match the control plane: updates what runs on all of them. */
  afterRollout: readonly UpgradeTask[];
}
