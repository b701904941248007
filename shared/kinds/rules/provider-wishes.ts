import { AWS_WISHES } from './aws/wishes.ts';
import { HOST_WISHES } from './host-wishes.ts';
import { POOL_WISHES } from './pool-wishes.ts';
import type { Wishes } from './wish.ts';

/** The user settings of all providers. They belong to a provider's kinds, and are listed here like them. */
export const PROVIDER_WISHES: Wishes = { ...AWS_WISHES, ...POOL_WISHES, ...HOST_WISHES };
