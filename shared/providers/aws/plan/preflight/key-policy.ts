import * as z from 'zod';
import { tryJson } from '../../../../decode/json.ts';
import type { VolumeKeyFacts } from './model.ts';

/**
 * EBS's operations with a key on behalf of the caller that launches an instance. Source: Amazon EBS User Guide,
 * "Permissions for IAM users".
 */
const NEEDED = [
  'kms:CreateGrant',
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
] as const;

const texts = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const principals = z.union([z.literal('*'), z.looseObject({ AWS: texts.optional() })]);

const statement = z.looseObject({
  Effect: z.string(),
  Principal: principals.optional(),
  NotPrincipal: principals.optional(),
  Action: texts.optional(),
  NotAction: texts.optional(),
  Condition: z.unknown().optional(),
});

type Statement = z.infer<typeof statement>;

const policy = z.looseObject({
  Statement: z.union([z.array(statement), statement.transform((one) => [one])]),
});

/** Undefined for a text that is not a policy. */
const statementsOf = (text: string): readonly Statement[] | undefined =>
  policy.safeParse(tryJson(text)).data?.Statement;

const names = (principal: z.infer<typeof principals>, role: string): boolean =>
  principal === '*' || (principal.AWS?.some((one) => one === '*' || one === role) ?? false);

const concerns = ({ Principal, NotPrincipal }: Statement, role: string): boolean => {
  if (Principal !== undefined) return names(Principal, role);
  return NotPrincipal !== undefined && !names(NotPrincipal, role);
};

const matches = (pattern: string, action: string): boolean => {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'i').test(action);
};

const covers = ({ Action, NotAction }: Statement, action: string): boolean => {
  if (Action !== undefined) return Action.some((pattern) => matches(pattern, action));
  return NotAction !== undefined && !NotAction.some((pattern) => matches(pattern, action));
};

/**
 * The actions that a role certainly may not perform with a key, through either the key's policy or a grant. The
 * account's root in a policy delegates to IAM policies, and the service-linked role has none for keys. Conditions count
 * as fulfilled, and conditional denials as absent. Undefined if the policy cannot be evaluated.
 */
export const lackingActions = (key: VolumeKeyFacts, role: string): string[] | undefined => {
  const statements = 'value' in key.policy ? statementsOf(key.policy.value) : undefined;
  const concerning = statements?.filter((one) => concerns(one, role)) ?? [];
  const allowing = concerning.filter(({ Effect }) => Effect === 'Allow');
  const denying = concerning.filter(({ Effect, Condition }) => Effect === 'Deny' && Condition === undefined);
  const granted = 'value' in key.grants ? key.grants.value.map((operation) => `kms:${operation}`) : [];
  const isAllowed = (action: string) => granted.includes(action) || allowing.some((one) => covers(one, action));
  // A denial in the policy also applies to grants.
  const isDenied = (action: string) => denying.some((one) => covers(one, action));
  const lacking = NEEDED.filter((action) => isDenied(action) || !isAllowed(action));
  const isKnown = statements !== undefined && 'value' in key.grants;
  return lacking.length === 0 || isKnown ? lacking : undefined;
};
