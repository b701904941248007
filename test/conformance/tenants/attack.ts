import type { World } from './world.ts';

/** An attempt of mallory. Whatever its result, nothing of alice's may change. */
export interface Attack {
  /** As the end of "mallory …". */
  what: string;
  /** The request that must be refused, and with which text. */
  refused?: { by: RegExp; request(world: World): Promise<unknown> };
  /** Or an admitted action: performs it, and resolves when the controllers have handled it. */
  harmless?(world: World): Promise<void>;
}
