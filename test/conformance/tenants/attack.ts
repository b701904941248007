import type { World } from './world.ts';

/** Something that mallory tries. Whatever comes of it, nothing of alice's may change. */
export interface Attack {
  /** As the end of "mallory …". */
  what: string;
  /** The request that must be refused, and with which words. */
  refused?: { by: RegExp; request(world: World): Promise<unknown> };
  /** Or what is admitted: does it, and resolves when the controllers have dealt with it. */
  harmless?(world: World): Promise<void>;
}
