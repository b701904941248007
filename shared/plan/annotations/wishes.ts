import { z } from 'zod';
import { ON_DRIFT, validateDriftPolicies } from '../../kinds/rules/drift-policy.ts';
import { NOTICE_POLICY } from '../../kinds/rules/notice-policy.ts';
import { UPGRADE_PATH, validatePath } from '../../kinds/rules/upgrade-path.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { VOLUMES_ANNOTATION } from '../../providers/aws/plan/garbage/volumes.ts';
import { IDENTITY_ANNOTATION } from '../../providers/aws/plan/identity/annotations.ts';
import { INSTANCE_TYPES_ANNOTATION } from '../../providers/aws/plan/launch/candidates.ts';
import { PROFILES_ANNOTATION } from '../../providers/aws/plan/launch/profiles.ts';
import { SKIP_ANNOTATION } from '../../providers/aws/plan/preflight/gate.ts';
import { CHECKS } from '../../providers/aws/plan/preflight/model.ts';
import { ANNOTATION } from '../labels.ts';

/**
 * All annotations of ours by which users say what they want: where each is read, and what it may say. What is not in
 * this table is not a user's to write (controllers-own.ts). docs/annotations.md has the same table for people; a test
 * holds the two together.
 */
export interface Wish {
  /** The kinds of the objects that it is read from. In the metadata of templates every wish may stand. */
  readonly kinds: readonly string[];
  /** What it may say. The messages are what a user is told. */
  readonly schema: z.ZodType<unknown, string>;
}

const one = <Value extends string>(...values: [Value, ...Value[]]) =>
  z.enum(values, {
    error: `must be ${values.length === 1 ? values[0] : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`}`,
  });

/** A text that a rule of the kinds judges, which looks at whole objects. */
const judgedBy = (
  name: string,
  rule: (object: { metadata: { name: string; annotations: Record<string, string> } }) => FieldError[],
) =>
  z.string().superRefine((value, context) => {
    for (const { detail } of rule({ metadata: { name: '', annotations: { [name]: value } } })) context.addIssue(detail);
  });

const wordsOf = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Words with commas between them, each of which the pattern describes. */
const listOf = (pattern: RegExp, detail: string) =>
  z.string().refine((text) => wordsOf(text).every((word) => pattern.test(word)), { error: detail });

const CHECK_NAMES: readonly string[] = [...CHECKS, 'all'];

const CONTROL_PLANES = ['KubeadmControlPlane', 'RKE2ControlPlane'] as const;
const IDENTITY = ['AWSClusterRoleIdentity'] as const;

const noticePolicy: Wish = {
  kinds: ['Machine', 'MachineSet', 'MachineDeployment', ...CONTROL_PLANES],
  schema: one('Replace', 'Report'),
};

export const WISHES: Readonly<Record<string, Wish>> = {
  [ON_DRIFT]: { kinds: ['Cluster'], schema: judgedBy(ON_DRIFT, validateDriftPolicies) },
  [NOTICE_POLICY.RebalanceRecommendation]: noticePolicy,
  [NOTICE_POLICY.ScheduledMaintenance]: noticePolicy,
  [UPGRADE_PATH]: { kinds: CONTROL_PLANES, schema: judgedBy(UPGRADE_PATH, validatePath) },
  [ANNOTATION.nodeInitialization]: { kinds: ['Cluster'], schema: one('Enabled', 'Disabled') },
  [ANNOTATION.infrastructureManagedBy]: { kinds: ['Cluster'], schema: z.string() },
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
  'windlass.dev/install-kubernetes': { kinds: ['AWSMachine'], schema: one('true', 'false') },
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

/** Whether a key is under a name that Windlass keeps for itself. */
export const isReserved = (key: string): boolean => /^(intent\.)?windlass\.dev\//.test(key);

/**
 * What objects take over from the metadata of a template or of their owner: nothing under our names but a user's wishes.
 * Otherwise a template could write into an object what only controllers write there.
 */
export const ofTemplate = (given: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(given ?? {}).filter(([key]) => !isReserved(key) || key in WISHES));
