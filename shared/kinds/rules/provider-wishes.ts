import { AWS_WISHES } from './aws-wishes.ts';
import { HOST_WISHES } from './host-wishes.ts';
import { POOL_WISHES } from './pool-wishes.ts';
import type { Wishes } from './wish.ts';

/** The wishes of all providers. They belong to a provider's kinds, so that its kinds and its wishes are listed here alike. */
export const PROVIDER_WISHES: Wishes = { ...AWS_WISHES, ...POOL_WISHES, ...HOST_WISHES };
