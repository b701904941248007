/** A step of a lifecycle. */
import type { Sizes, User } from '../user.ts';
import type { World } from '../world.ts';

export interface Step {
  name: string;
  /** How many machines there must be at the end. */
  sizes: Sizes;
  /**
   * Done with the control plane: as upstream's preflight checks, no worker is created while its minor version is lower
   * than that of the control plane, so one that dies is replaced only by the next step.
   */
  isOfControlPlane?: true;
  /** Done when nothing is lacking, whatever the sizes are: it does not determine how many machines there are. */
  isFree?: true;
  /** Before the lifecycle: what exists then must be as before in the end. */
  prepare?(): Promise<void>;
  act(user: User, world: World): Promise<void>;
  /** Why it is not done although all machines are there. */
  lacks?(user: User, world: World): Promise<string | undefined>;
}
