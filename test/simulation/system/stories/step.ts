/** A step of a lifecycle. */
import type { Sizes, User } from '../user.ts';
import type { World } from '../world.ts';

export interface Step {
  name: string;
  /** The number of machines at the end. */
  sizes: Sizes;
  /**
   * Done when the control plane is. As with upstream's preflight checks, no worker is created while its minor version
   * is lower than that of the control plane, so a worker that dies is only replaced in the next step.
   */
  isOfControlPlane?: true;
  /** Done when nothing is lacking, regardless of the sizes: the step does not determine the number of machines. */
  isFree?: true;
  /**
   * Nobody can see the account during the step. If a recorded resource disappears, which cannot be noticed, its end is
   * not judged.
   */
  isUnseen?: true;
  /** Runs before the lifecycle. Everything that exists afterwards must be unchanged at the end. */
  prepare?(): Promise<void>;
  act(user: User, world: World): Promise<void>;
  /** The reason why the step is not done although all machines exist. */
  lacks?(user: User, world: World): Promise<string | undefined>;
}
