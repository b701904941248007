/** What the life of the clusters does not show, each with its reason. What is not needed (any more) fails the test. */

/** Grants that no recorded call uses: a part of the function's name, the action or resource, and why it stays. */
export interface Unused {
  functions: RegExp;
  what: RegExp;
  reason: string;
}

export const UNUSED: readonly Unused[] = [
  {
    functions: /./,
    what: /^logs:|:log-group:/,
    reason: 'Lambda itself writes what the function prints, with the function’s role.',
  },
  {
    functions: /./,
    what: /^sts:|:role\/\*\.cluster-api-provider-aws/,
    reason: 'The clusters are of the functions’ own account; test/cluster-infrastructure/spoke.test.ts assumes a role.',
  },
  {
    functions: /network|load-balancer|target|events/i,
    what: /^kms:Decrypt/,
    reason: 'Opens the access key of a static identity, which no recorded cluster has.',
  },
  {
    functions: /network/,
    what: /^ec2:(Create|Delete)Tags$|:subnet\/\*$/,
    reason: 'The subnets of a VPC that a user brought get and lose tags; none of the clusters is in such a VPC.',
  },
];

/** Changes that are allowed without our tags on what is changed: the action, the resource, and why. */
export interface Untagged {
  action: RegExp;
  resource: RegExp;
  reason: string;
}

export const UNTAGGED: readonly Untagged[] = [];
