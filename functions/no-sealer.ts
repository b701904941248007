import type { Sealer } from '../shared/store/objects/sealer.ts';

const refuse = (): Promise<never> =>
  Promise.reject(new Error('this function was given no key to seal with: it may not touch Secrets'));

/** For functions that have nothing to do with Secrets. */
export const NO_SEALER: Sealer = { seal: refuse, open: refuse };
