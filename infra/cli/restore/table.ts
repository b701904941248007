/** The table of an installation in AWS, and DynamoDB's operations on it. */
import {
  ContinuousBackupsUnavailableException,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  GetFunctionConfigurationCommand,
  type LambdaClient,
  ResourceNotFoundException as NoSuchFunction,
} from '@aws-sdk/client-lambda';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../../shared/clock.ts';
import { ENV } from '../../../shared/config.ts';
import { OBJECT_TABLE } from '../../../shared/store/table.ts';

/** A large table takes hours; meanwhile, the command may be stopped and called again. */
const MOST_SECONDS = 12 * 3600;

/** The table that the functions of a stack use; undefined if there are no such functions. */
export const tableInUse = async (lambda: LambdaClient, stack: string): Promise<string | undefined> => {
  try {
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: `${stack}-api` }));
    return Environment?.Variables?.[ENV.table];
  } catch (error) {
    if (error instanceof NoSuchFunction) return undefined;
    throw error;
  }
};

const describe = async (client: DynamoDBDocumentClient, TableName: string): Promise<TableDescription | undefined> => {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

/**
 * Starts to restore `from` to its state at `at` (undefined for the latest possible) as the table `to`, unless `to`
 * exists. Resolves to whether it started. DynamoDB's refusals (no backups, or a time outside them) are passed on.
 */
export const startRestore = async (
  client: DynamoDBDocumentClient,
  { from, to, at }: { from: string; to: string; at: Date | undefined },
): Promise<boolean> => {
  if (await describe(client, to)) return false;
  const moment = at ? { RestoreDateTime: at } : { UseLatestRestorableTime: true };
  await client.send(new RestoreTableToPointInTimeCommand({ SourceTableName: from, TargetTableName: to, ...moment }));
  return true;
};

/**
 * Whether a table may still be filled and prepared. Protection from deletion is the last step: a table without it is
 * not complete, and one with it must not be changed.
 */
export const stateOfTable = async (
  client: DynamoDBDocumentClient,
  name: string,
): Promise<'absent' | 'begun' | 'prepared'> => {
  const table = await describe(client, name);
  if (!table) return 'absent';
  return table.DeletionProtectionEnabled ? 'prepared' : 'begun';
};

/** Resolves when the table can be used. Throws after twelve hours. */
export const waitUntilUsable = async (client: DynamoDBDocumentClient, TableName: string): Promise<void> => {
  await waitUntilTableExists({ client, maxWaitTime: MOST_SECONDS, minDelay: 2, maxDelay: 20 }, { TableName });
};

/** Throws if the table does not have the keys and indexes of an object table. */
export const requireObjectTable = async (client: DynamoDBDocumentClient, name: string): Promise<void> => {
  const { LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [] } = (await describe(client, name)) ?? {};
  const found = new Set([...LocalSecondaryIndexes, ...GlobalSecondaryIndexes].map(({ IndexName }) => IndexName));
  const missing = [...OBJECT_TABLE.localIndexes, ...OBJECT_TABLE.globalIndexes].filter(
    (index) => !found.has(index.name),
  );
  if (missing.length > 0)
    throw new Error(
      `the table ${name} has no index ${missing.map((index) => index.name).join(', ')}: it is not a table of Windlass, or was restored without its indexes`,
    );
};

/** It usually takes less than a minute. */
const MOST_BACKUP_MILLISECONDS = 20 * 60_000;
const BACKUP_POLL_MILLISECONDS = 5_000;

/**
 * A table that can be used may still be too new: DynamoDB refuses to enable point-in-time recovery until it has enabled
 * its own backups.
 */
const enableRecovery = async (
  client: DynamoDBDocumentClient,
  { TableName, clock }: { TableName: string; clock: Clock },
): Promise<void> => {
  const last = clock.now().getTime() + MOST_BACKUP_MILLISECONDS;
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  for (;;) {
    try {
      await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
      return;
    } catch (error) {
      if (!(error instanceof ContinuousBackupsUnavailableException) || clock.now().getTime() >= last) throw error;
    }
    await clock.sleep(BACKUP_POLL_MILLISECONDS);
  }
};

interface Access {
  client: DynamoDBDocumentClient;
  table: string;
  clock: Clock;
}

/** Settings that DynamoDB does not restore with the items: expiry, backups, and protection from deletion. */
export const protect = async ({ client, table: TableName, clock }: Access): Promise<void> => {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (!['ENABLED', 'ENABLING'].includes(TimeToLiveDescription?.TimeToLiveStatus ?? '')) {
    const TimeToLiveSpecification = { Enabled: true, AttributeName: OBJECT_TABLE.timeToLive };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
  const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  if (ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus !== 'ENABLED')
    await enableRecovery(client, { TableName, clock });
  const { DeletionProtectionEnabled } = (await describe(client, TableName)) ?? {};
  if (!DeletionProtectionEnabled)
    await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
};
