import { Aws, Duration, type Stack, Validations } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Export } from './settings.ts';

const TARGET = 'aws-sdk:dynamodb:exportTableToPointInTime';

/** Long enough for a quota of exports to become free again. */
const RETRY_HOURS = 1;

const rateOf = (hours: number): string => `rate(${hours} ${hours === 1 ? 'hour' : 'hours'})`;

interface ExportOptions {
  settings: Export;
  /** Receives the starts that DynamoDB refused: an export that never begins is in no list of exports. */
  deadLetterQueue: IQueue;
}

const roleOf = (stack: Stack, table: ITable, { settings, deadLetterQueue }: ExportOptions): Role => {
  const { bucket, keyArn } = settings;
  const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
  const role = new Role(stack, 'ExportRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions }),
  });
  const may = (actions: string[], resources: string[]) => role.addToPolicy(new PolicyStatement({ actions, resources }));
  may(['dynamodb:ExportTableToPointInTime'], [table.tableArn]);
  // DynamoDB writes the files with the permissions of the caller that requested the export. The ARN of a bucket
  // contains no account, and a name becomes free once its bucket is deleted: then it may belong to anyone.
  role.addToPolicy(
    new PolicyStatement({
      actions: ['s3:AbortMultipartUpload', 's3:PutObject', 's3:PutObjectAcl'],
      resources: [`arn:${Aws.PARTITION}:s3:::${bucket}/*`],
      conditions: { StringEquals: { 'aws:ResourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  if (keyArn !== undefined) may(['kms:Decrypt', 'kms:GenerateDataKey'], [keyArn]);
  may(['sqs:SendMessage'], [deadLetterQueue.queueArn]);
  const id = `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${bucket}/*]`;
  Validations.of(role).acknowledge({ id, reason: 'DynamoDB chooses the names of the files of an export.' });
  return role;
};

/**
 * Exports the table to a bucket regularly, from its point-in-time recovery, which uses no capacity of the table. The
 * scheduler calls DynamoDB itself, without a function in between. The contents of Secrets stay encrypted.
 */
export const tableExport = (stack: Stack, table: ITable, options: ExportOptions): void => {
  const { bucket, keyArn, hours } = options.settings;
  const encryption =
    keyArn === undefined ? { S3SseAlgorithm: 'AES256' } : { S3SseAlgorithm: 'KMS', S3SseKmsKeyId: keyArn };
  const role = roleOf(stack, table, options);
  const input = {
    TableArn: table.tableArn,
    S3Bucket: bucket,
    S3Prefix: stack.stackName,
    ExportFormat: 'DYNAMODB_JSON',
    ...encryption,
  };
  const schedule = new CfnSchedule(stack, 'Export', {
    description: 'Exports all objects',
    scheduleExpression: rateOf(hours),
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      arn: `arn:${Aws.PARTITION}:scheduler:::${TARGET}`,
      roleArn: role.roleArn,
      input: stack.toJsonString(input),
      retryPolicy: { maximumEventAgeInSeconds: Duration.hours(RETRY_HOURS).toSeconds(), maximumRetryAttempts: 10 },
      deadLetterConfig: { arn: options.deadLetterQueue.queueArn },
    },
  });
  // A schedule begins when it is created, and its role does not refer to a policy. Without this dependency,
  // CloudFormation would create both concurrently, and the first export would not be permitted, nor would the report of
  // its failure.
  schedule.node.addDependency(role);
};
