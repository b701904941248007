import { Aws } from 'aws-cdk-lib';
import type { Context } from '../context.ts';

const PATTERN = /^arn:aws[a-z-]*:iam::(\d{12}|\*):role\/([\w+=,.@/*-]+)$/;

/** The suffix of the roles that Cluster API's AWS provider creates, in any account. */
const SUFFIX = '*.cluster-api-provider-aws.sigs.k8s.io';

/**
 * Patterns of the ARNs of roles that clusters' identities may assume, from `assumableRoles` in the context; an empty
 * text for none. A pattern for all roles of all accounts is refused: with it, anyone who can write identities could
 * assume any role that trusts this account.
 */
export const readAssumableRoles = (context: Context): readonly string[] => {
  const value = context.raw('assumableRoles');
  const report = (problem: string): void => context.report('assumableRoles', problem);
  if (value === undefined) return [`arn:${Aws.PARTITION}:iam::*:role/${SUFFIX}`];
  const patterns = (Array.isArray(value) ? value.map(String) : String(value).split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const pattern of patterns) {
    const [, account, role] = PATTERN.exec(pattern) ?? [];
    if (role === undefined) report(`"${pattern}" is not the ARN of an IAM role (* matches any characters)`);
    if (account === '*' && /^\*+$/.test(role ?? ''))
      report(`"${pattern}" is every role of every account; name the accounts or the roles`);
  }
  return patterns;
};
