import * as z from 'zod';
import { listOf, one, type Wishes, wordsOf } from '../wish.ts';
import { INSTANCE_TYPES_ANNOTATION } from './instance-types-annotation.ts';

/**
 * Our annotations in which users configure AWS. They belong to AWS's kinds, like the fields of their specs, so that the
 * planners of machines can distinguish them from the controllers' records without knowing the provider.
 */

/**
 * On an AWSCluster: with `Delete`, the volumes of PersistentVolumes are deleted with the cluster; `Keep` is the
 * default.
 */
export const VOLUMES_ANNOTATION = 'windlass.dev/volumes';

/** On an AWSCluster: comma-separated names of preflight checks to skip, or `all`. */
export const SKIP_ANNOTATION = 'windlass.dev/skip-preflight';

/** The checks before a cluster is created. A user may skip individual checks by name. */
export const CHECKS = [
  'quotas',
  'images',
  'instance-types',
  'instance-profiles',
  'subnets',
  'volume-keys',
  'permissions',
  'endpoint',
] as const;
export type Check = (typeof CHECKS)[number];

/**
 * On an AWSMachine or an AWSMachinePool: `true` if its image does not contain Kubernetes, which is then installed at
 * the first boot.
 */
export const INSTALL_ANNOTATION = 'windlass.dev/install-kubernetes';

/** On a Namespace: the installation's profiles that its machines may have, comma-separated. */
export const PROFILES_ANNOTATION = 'windlass.dev/instance-profiles';

/** On an AWSClusterRoleIdentity. */
export const IDENTITY_ANNOTATION = {
  /** `true`: a role in another account is assumed without an external id. */
  withoutExternalId: 'windlass.dev/without-external-id',
  /** The source identity that STS records for the session. */
  sourceIdentity: 'windlass.dev/source-identity',
  /** `key=value,key=value`: tags of the session. */
  sessionTags: 'windlass.dev/session-tags',
} as const;

const CHECK_NAMES: readonly string[] = [...CHECKS, 'all'];
const IDENTITY = ['AWSClusterRoleIdentity'] as const;

export const AWS_WISHES: Wishes = {
  [SKIP_ANNOTATION]: {
    kinds: ['AWSCluster'],
    schema: z.string().refine((text) => wordsOf(text).every((word) => CHECK_NAMES.includes(word)), {
      error: `must be names out of ${CHECK_NAMES.join(', ')}, with commas between them`,
    }),
  },
  [VOLUMES_ANNOTATION]: { kinds: ['AWSCluster'], schema: one('Keep', 'Delete') },
  [INSTANCE_TYPES_ANNOTATION]: {
    kinds: ['AWSMachine'],
    schema: listOf(/^[a-z0-9-]+\.[a-z0-9-]+$/, 'must be instance types such as m6i.large, with commas between them'),
  },
  [PROFILES_ANNOTATION]: {
    kinds: ['Namespace'],
    schema: listOf(/^[\w+=.@-]{1,64}$/, 'must be names of instance profiles, with commas between them'),
  },
  [INSTALL_ANNOTATION]: { kinds: ['AWSMachine', 'AWSMachinePool'], schema: one('true', 'false') },
  [IDENTITY_ANNOTATION.withoutExternalId]: { kinds: IDENTITY, schema: one('true', 'false') },
  [IDENTITY_ANNOTATION.sourceIdentity]: {
    kinds: IDENTITY,
    schema: z
      .string()
      .regex(/^[\w+=,.@-]{2,64}$/, { error: 'must be 2 to 64 letters, digits and characters of +=,.@_-' }),
  },
  [IDENTITY_ANNOTATION.sessionTags]: {
    kinds: IDENTITY,
    schema: listOf(/^[^=]{1,128}=[^=]{0,256}$/, 'must be key=value, with commas between several'),
  },
};
