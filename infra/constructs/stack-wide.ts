import { Aws, type Stack, Tags } from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import { applyRoleRules } from './grants/role-rules.ts';
import { encryptLogs } from './log-key.ts';
import type { Settings } from './settings.ts';

/** `policy` is the name of a policy of the stack's account, or an ARN. */
const policyArn = (policy: string): string =>
  policy.startsWith('arn:') ? policy : `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:policy/${policy}`;

/** Applies the settings for all resources in the stack, including those that are added later. */
export const applyToAll = (stack: Stack, { tags, permissionsBoundary, roles, logKeyArn }: Settings): void => {
  for (const [key, value] of Object.entries(tags)) Tags.of(stack).add(key, value);
  applyRoleRules(stack, roles);
  if (logKeyArn !== undefined) encryptLogs(stack, logKeyArn);
  if (permissionsBoundary === undefined) return;
  PermissionsBoundary.of(stack).apply(
    ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', policyArn(permissionsBoundary)),
  );
};
