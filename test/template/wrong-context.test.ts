import { describe, expect, it } from 'vitest';
import { synthesizeFixture } from '../../infra/fixture-stack.ts';

/** Sixty different items. */
const many = (prefix: string): string[] => Array.from({ length: 60 }, (_, index) => `${prefix}${10 + index}`);

describe('wrong context', () => {
  it.each([
    [{ name: 'Blue!' }, 'context "name"'],
    [{ tablename: 'Restored' }, 'context "tablename": is not a setting of Windlass; docs/deploy.md lists them'],
    [{ sweepMinutes: '0' }, 'context "sweepMinutes": must be a whole number from 1 to 60, not "0"'],
    [{ sweepShards: 21 }, 'context "sweepShards": must be a whole number from 1 to 20, not "21"'],
    [{ sweepMinutes: 2.5 }, 'context "sweepMinutes"'],
    [{ instanceProfiles: 'nodes.*' }, 'context "instanceProfiles": "nodes.*" is not the name of an instance profile'],
    [{ instanceProfiles: '' }, 'context "instanceProfiles": must name at least one instance profile'],
    [
      { extensionFunctions: 'arn:aws:lambda:us-east-1:000000000000:function:*' },
      'context "extensionFunctions": "arn:aws:lambda:us-east-1:000000000000:function:*" is not the ARN of a Lambda function (no pattern)',
    ],
    [{ syncMachineLabels: '(' }, 'context "syncMachineLabels": "(" is not a regular expression'],
    [{ logRetentionDays: 8 }, 'context "logRetentionDays"'],
    [{ adminPrincipals: 'admin' }, 'context "adminPrincipals": "admin" is not the ARN'],
    [{ adminPrincipals: 'arn:aws:iam::*:role/WindlassAdmin' }, 'but not in the account'],
    [
      { adminPrincipals: ['arn:aws:iam::000000000000:role/Owner,Reader'] },
      'context "adminPrincipals": "arn:aws:iam::000000000000:role/Owner,Reader" has a comma',
    ],
    [{ viewerPrincipals: '*' }, 'context "viewerPrincipals": "*" is not the ARN'],
    [{ tags: 'team' }, 'context "tags": "team" is not of the form key=value'],
    [{ tags: { 'aws:team': 'x' } }, 'context "tags": "aws:team=x" is not a tag that AWS accepts'],
    [{ alarmTopicArn: 'topic' }, 'context "alarmTopicArn": "topic" is not the ARN of an SNS topic'],
    [{ alarmTopicArn: 'arn:aws:sns:us-east-1:000000000000:ops', alarmEmail: 'a@b.c' }, 'context "alarmEmail": cannot'],
    [{ alarmEmail: 'ops' }, 'context "alarmEmail": "ops" is not an e-mail address'],
    [{ permissionsBoundary: 'arn:aws:iam::000000000000:role/x' }, 'context "permissionsBoundary"'],
    [{ functionSubnets: 'subnet-0123456789abcdef0' }, 'context "functionSecurityGroups": must be given'],
    [{ allFunctionsInVpc: true }, 'context "allFunctionsInVpc": must be given with functionSubnets'],
    [
      { adminPrincipals: 'arn:aws:iam::000000000000:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_Admin_1a2b' },
      'write arn:aws:iam::000000000000:role/AWSReservedSSO_Admin_1a2b, which is the same role',
    ],
    [{ viewerPrincipals: 'arn:aws:iam::000000000000:role/team/*' }, 'has the path of a role'],
    [{ apiSourceRanges: '10.0.0.1' }, 'context "apiSourceRanges": "10.0.0.1" is not a range of IPv4 addresses'],
    [{ rolePath: 'platform' }, 'context "rolePath": "platform" is not a path of IAM, such as /platform/'],
    [{ roleNamePrefix: 'x'.repeat(21) }, 'context "roleNamePrefix"'],
    [{ logKeyArn: 'alias/logs' }, 'context "logKeyArn": "alias/logs" is not the ARN of a KMS key'],
    [{ functionSecurityGroups: 'x' }, 'context "functionSecurityGroups": "x" is not the id of a security group'],
    [
      { functionSubnets: Array.from({ length: 17 }, (_, index) => `subnet-${10_000_000 + index}`).join(',') },
      'context "functionSubnets": must be at most 16, not 17',
    ],
    [
      { functionSecurityGroups: Array.from({ length: 6 }, (_, index) => `sg-${10_000_000 + index}`).join(',') },
      'context "functionSecurityGroups": must be at most 5, not 6',
    ],
    [{ tableName: 'my table' }, 'context "tableName": "my table" is not the name of a DynamoDB table'],
    [{ sealKeyArn: 'alias/seal' }, 'context "sealKeyArn": "alias/seal" is not the ARN of a KMS key'],
    [{ exportBucket: 's3://backups' }, 'context "exportBucket": "s3://backups" is not the name of an S3 bucket'],
    [{ exportHours: 5 }, 'context "exportHours": must be given with exportBucket'],
    [{ removeTable: true, tableName: 'Restored' }, 'context "removeTable": cannot be given with tableName'],
    [{ removeTable: 'yes' }, 'context "removeTable": must be true or false, not "yes"'],
  ])('refuses %j', (context, message) => {
    expect(() => synthesizeFixture({ context })).toThrow(message);
  });

  it('refuses a topic for alarms in another region than that of the stack, if the region is known', () => {
    const context = { alarmTopicArn: 'arn:aws:sns:us-east-1:111111111111:ops' };
    expect(() => synthesizeFixture({ context, region: 'eu-west-1' })).toThrow(
      'context "alarmTopicArn": is in us-east-1, but the stack is in eu-west-1: alarms need a topic of their region',
    );
    expect(() => synthesizeFixture({ context, region: 'us-east-1' })).not.toThrow();
    expect(() => synthesizeFixture({ context })).not.toThrow();
  });

  it('refuses lists that do not fit into the environment of a function', () => {
    const principals = { editorPrincipals: many('arn:aws:iam::000000000000:role/Edit') };
    expect(() => synthesizeFixture({ context: { ...principals, trustedAccounts: many('0000000000') } })).toThrow(
      'context "adminPrincipals, editorPrincipals, viewerPrincipals, trustedAccounts": have 3059 bytes together',
    );
    expect(() => synthesizeFixture({ context: { syncMachineLabels: many('label'.repeat(20)) } })).toThrow(
      'context "syncMachineLabels, syncMachineAnnotations": have',
    );
    expect(() => synthesizeFixture({ context: principals })).not.toThrow();
  });

  it('lists all errors at once', () => {
    expect(() => synthesizeFixture({ context: { sweepMinutes: 0, logRetentionDays: 8 } })).toThrow(
      /sweep.*\n.*Retention/,
    );
  });
});
