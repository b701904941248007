import * as z from 'zod';
import { list, options, struct } from './fields.ts';
import { labelSelector } from './meta.ts';

/** Parts that the identities share: the credentials with which the AWS provider works. */

/** Namespaces whose clusters may use an identity: absent means none, empty means all. */
const allowedNamespaces = options({ list: list(z.string()).nullable(), selector: labelSelector }).nullable();

export const identitySpec = { allowedNamespaces };

const IDENTITY_KINDS = ['AWSClusterControllerIdentity', 'AWSClusterRoleIdentity', 'AWSClusterStaticIdentity'] as const;

/** A reference to an identity, which is cluster-scoped. */
export const identityRef = struct({ name: z.string().min(1), kind: z.enum(IDENTITY_KINDS) }, {});

export type AllowedNamespaces = z.input<typeof allowedNamespaces>;
