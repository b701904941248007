import type * as z from 'zod';
import { options, text } from './fields.ts';
import { labelSelector } from './meta.ts';

/** A machine's requirements for its host. */
export const hostMachineSpec = options({ selector: labelSelector, providerID: text(1, 512) });

export type HostMachineSpec = z.input<typeof hostMachineSpec>;
