/** The policies of the customer-managed keys that the stories use. */
import type { ResourcePolicies } from '../../permissions/judge.ts';
import { OTHER_KEY } from './stories/brought.ts';
import { OWN_KEY } from './stories/machine-options.ts';

/**
 * The policy that the console creates, which delegates to the account's own IAM policies. A key of another account
 * permits this account.
 */
const letsIn = (account: string) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${account}:root` }, Action: 'kms:*', Resource: '*' }],
});

export const CUSTOMER_KEYS: ResourcePolicies = new Map(
  [OWN_KEY, OTHER_KEY].map((arn) => [arn, letsIn('000000000000')]),
);
