import { beforeAll, describe, expect, inject, it } from 'vitest';
import { synthesizeFixture } from '../../infra/fixture-stack.ts';
import { loadAssembly } from '../../infra/local/template.ts';
import { LIMIT } from '../../shared/test-patience.ts';
import { resourcesOf } from './definitions.ts';

const KEY = 'arn:aws:kms:us-east-1:000000000000:key/0456';

let outdir: string;

beforeAll(() => {
  outdir = synthesizeFixture({ context: { exportBucket: 'backups', exportKeyArn: KEY, exportHours: 6 }, nag: true });
}, LIMIT);

const schedules = (assembly = outdir) =>
  resourcesOf(assembly, 'AWS::Scheduler::Schedule').map(([, properties]) => properties);

const targetOf = () => schedules()[0]?.Target as { RoleArn: string; Input: string; DeadLetterConfig: { Arn: string } };

const statementsOf = (role: string): Record<string, string>[] => {
  const policies = resourcesOf(outdir, 'AWS::IAM::Policy').map(
    ([, properties]) => properties as { Roles: string[]; PolicyDocument: { Statement: Record<string, string>[] } },
  );
  return policies.filter(({ Roles }) => Roles.includes(role)).flatMap((one) => one.PolicyDocument.Statement);
};

/** The permissions of a role, by resource. */
const permissionsOf = (role: string): Record<string, string | string[]> =>
  Object.fromEntries(statementsOf(role).map(({ Action, Resource }) => [Resource, Action]));

describe('the export of the table', () => {
  it('is requested regularly if a bucket is given', () => {
    expect(schedules()).toMatchObject([{ ScheduleExpression: 'rate(6 hours)', FlexibleTimeWindow: { Mode: 'OFF' } }]);
    expect(targetOf()).toMatchObject({ Arn: 'arn:aws:scheduler:::aws-sdk:dynamodb:exportTableToPointInTime' });
    expect(JSON.parse(targetOf().Input)).toMatchObject({ S3Bucket: 'backups', S3SseKmsKeyId: KEY });
    expect(schedules(inject('outdir'))).toEqual([]);
  });

  it('has the permissions with which DynamoDB writes files', () => {
    expect(permissionsOf(targetOf().RoleArn)).toMatchObject({
      'arn:aws:s3:::backups/*': ['s3:AbortMultipartUpload', 's3:PutObject', 's3:PutObjectAcl'],
      [KEY]: ['kms:Decrypt', 'kms:GenerateDataKey'],
    });
  });

  it('does not start before its role has its permissions', () => {
    const { Resources } = loadAssembly(outdir).template;
    const [id = ''] = resourcesOf(outdir, 'AWS::Scheduler::Schedule')[0] ?? [];
    const policies = resourcesOf(outdir, 'AWS::IAM::Policy').filter(([, { Roles }]) =>
      (Roles as string[]).includes(targetOf().RoleArn),
    );
    expect(policies).toHaveLength(1);
    expect(Resources[id]).toMatchObject({ DependsOn: expect.arrayContaining(policies.map(([policy]) => policy)) });
  });

  it('writes only to a bucket of the account, even if a stranger has taken the name of a deleted bucket', () => {
    const writing = statementsOf(targetOf().RoleArn).filter(({ Resource }) => Resource?.startsWith('arn:aws:s3:::'));
    expect(writing).toEqual([
      expect.objectContaining({ Condition: { StringEquals: { 'aws:ResourceAccount': '000000000000' } } }),
    ]);
  });

  it('has an alarm for failed exports, which the sweep counts', () => {
    const alarms = resourcesOf(outdir, 'AWS::CloudWatch::Alarm').map(([, properties]) => properties);
    expect(alarms.find(({ AlarmName }) => AlarmName === 'Windlass-export-failed')).toMatchObject({
      MetricName: 'ExportsFailed',
      AlarmDescription: expect.stringContaining('docs/runbooks.md#export-failed'),
    });
    const [, drift] =
      resourcesOf(outdir, 'AWS::Lambda::Function').find(([, { FunctionName }]) => FunctionName === 'Windlass-drift') ??
      [];
    const { TableArn } = JSON.parse(targetOf().Input);
    expect(drift?.Environment).toMatchObject({ Variables: { WINDLASS_EXPORTED_TABLE_ARN: TableArn } });
    expect(JSON.stringify(resourcesOf(outdir, 'AWS::IAM::Policy'))).toContain('dynamodb:ListExports');
    expect(JSON.stringify(resourcesOf(inject('outdir'), 'AWS::IAM::Policy'))).not.toContain('dynamodb:ListExports');
  });

  it('reports a refused start through the queue that has an alarm', () => {
    const { RoleArn, DeadLetterConfig } = targetOf();
    expect(permissionsOf(RoleArn)[DeadLetterConfig.Arn]).toBe('sqs:SendMessage');
    const alarms = resourcesOf(outdir, 'AWS::CloudWatch::Alarm').map(([, properties]) => properties);
    expect(alarms.find(({ AlarmName }) => AlarmName === 'Windlass-events-undelivered')).toMatchObject({
      Dimensions: [{ Name: 'QueueName', Value: DeadLetterConfig.Arn }],
    });
  });
});
