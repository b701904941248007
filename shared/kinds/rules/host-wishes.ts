import * as z from 'zod';
import type { Wishes } from './wish.ts';

/** On a Host: the uid of the HostMachine whose remains an administrator has removed manually; the Host is then free. */
export const RELEASE_ANNOTATION = 'windlass.dev/released-by-hand';

/** Windlass's annotations with which users configure the provider of hosts. */
export const HOST_WISHES: Wishes = {
  [RELEASE_ANNOTATION]: {
    kinds: ['Host'],
    schema: z.string().regex(/^[0-9a-f-]{36}$/, { error: 'must be the uid in status.claim.uid of the Host' }),
  },
};
