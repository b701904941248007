import type { World } from './world.ts';

/** An attempt by mallory. Whatever its result, nothing that belongs to alice may change. */
export interface Attack {
  /** The title of the test, which follows "mallory, who may edit a namespace,". */
  what: string;
  /** A request that must be refused, and the expected message. */
  refused?: { by: RegExp; request(world: World): Promise<unknown> };
  /** An action that is admitted. Performs it and resolves when the controllers have handled it. */
  harmless?(world: World): Promise<void>;
}
