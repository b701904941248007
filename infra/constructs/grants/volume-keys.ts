import { Aws } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { statement } from './permissions.ts';

/** Customers' keys, including those of other accounts: the policy of each key decides who may use it. */
const VOLUME_KEYS = `arn:${Aws.PARTITION}:kms:*:*:key/*`;
const BY_EC2 = { StringLike: { 'kms:ViaService': 'ec2.*.amazonaws.com*' } };

/**
 * EC2's grant to decrypt the volumes of an instance, created on behalf of the caller that starts the instance. Without
 * it, the instance becomes pending and then stopped again. Source: AWS Knowledge Center, "Why did my EC2 instance
 * change from the Pending state to the Stopped state after I tried to start it".
 */
export const startingWithVolumes = (): PolicyStatement =>
  statement(['kms:CreateGrant'], [VOLUME_KEYS], { ...BY_EC2, Bool: { 'kms:GrantIsForAWSResource': 'true' } });

/**
 * EC2's operations with a customer's key on behalf of the caller that launches a machine with encrypted volumes,
 * whether because of `encryptionKey` or of the account's default. The keys can be used only through EC2, and grants can
 * be given only to EC2. Source: Amazon EBS User Guide, "Permissions for IAM users".
 */
export const encryptingVolumes = (): PolicyStatement[] => [
  statement(
    ['DescribeKey', 'GenerateDataKeyWithoutPlaintext', 'Decrypt', 'ReEncryptFrom', 'ReEncryptTo'].map(
      (action) => `kms:${action}`,
    ),
    [VOLUME_KEYS],
    BY_EC2,
  ),
  startingWithVolumes(),
];
