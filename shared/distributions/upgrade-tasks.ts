import type { ControlPlane } from '../kinds/contract-objects.ts';
import type { AnyObject } from '../workload/client.ts';

/** What a distribution keeps of itself inside the workload cluster cannot be kept in step; only a person can help. */
export class UpgradeTaskRefusedError extends Error {
  override readonly name = 'UpgradeTaskRefused';
}

/** One write in the workload cluster: an object to create, or an object to change. */
export type Change = { ensure: AnyObject } | { replace: AnyObject };

/** Objects of the workload cluster, and their changes. */
export interface UpgradeTask {
  /** What is read beforehand. */
  objects: readonly AnyObject[];
  /**
   * The changes, in their order; `found` are the current objects, in the order of `objects`, undefined for missing
   * ones. Later changes of an object build on earlier ones. Throws UpgradeTaskRefusedError.
   */
  plan(controlPlane: ControlPlane, found: readonly (AnyObject | undefined)[]): Change[];
}

/** What in the workload cluster must follow the control plane's spec, and when. */
export interface UpgradeTasks {
  /** The part of a control plane machine's configuration that machines that join take from there, not from their own. */
  joinsWith: string;
  /** Before a machine is created or removed because it is outdated: what machines read when they join. */
  beforeRollout: UpgradeTask;
  /** When all machines are as the control plane would make them today: what runs on all of them. */
  afterRollout: readonly UpgradeTask[];
}
