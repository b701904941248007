import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../../../shared/clock.ts';
import { type Engine, onlyKnown, type Resource } from '../../engine.ts';
import { requireTables, unusable } from '../../keep/tables.ts';
import { type Count, meteredTable } from '../../meter/table.ts';
import type { Identity, Target } from '../../template.ts';
import { inProcess } from '../wire/in-process.ts';
import { proxy } from '../wire/proxy.ts';
import type { Forward, WireServer } from '../wire/server.ts';
import { createDynalite } from './quick-dynalite.ts';

/** Properties that CreateTable accepts unchanged from the template. */
const PASSED_ON = [
  'AttributeDefinitions',
  'BillingMode',
  'GlobalSecondaryIndexes',
  'KeySchema',
  'LocalSecondaryIndexes',
] as const;

/**
 * Backups, encryption and protection have no meaning in memory. As for the time to live: DynamoDB may take days to
 * remove an expired item, so readers must recognize expired items themselves; here, they stay until the process ends.
 */
const WITHOUT_EFFECT = [
  'DeletionProtectionEnabled',
  'PointInTimeRecoverySpecification',
  'SSESpecification',
  'TimeToLiveSpecification',
];

const CREATE_POLL_MS = 5;

const AT_ONCE = { createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 };

const sameMembers = (a: readonly object[] = [], b: readonly object[] = []): boolean => {
  const texts = (all: readonly object[]) => all.map((one) => JSON.stringify(Object.entries(one).sort())).sort();
  return texts(a).join() === texts(b).join();
};

/** Index names with their keys, on which readers rely. */
const indexesOf = (all: readonly { IndexName?: string; KeySchema?: readonly object[] }[] = []) =>
  all.map(({ IndexName, KeySchema = [] }) => ({ IndexName, keys: KeySchema.map((key) => Object.entries(key).sort()) }));

/** Throws if a table of an earlier start has another schema than the template. */
const requireSameShape = (wanted: CreateTableCommandInput, found: TableDescription, directory: string): void => {
  const isSame =
    sameMembers(wanted.KeySchema, found.KeySchema) &&
    sameMembers(wanted.AttributeDefinitions, found.AttributeDefinitions) &&
    sameMembers(indexesOf(wanted.GlobalSecondaryIndexes), indexesOf(found.GlobalSecondaryIndexes)) &&
    sameMembers(indexesOf(wanted.LocalSecondaryIndexes), indexesOf(found.LocalSecondaryIndexes));
  if (isSame) return;
  throw unusable(directory, `the table ${wanted.TableName} was made by another version of Windlass`);
};

/** Tables in dynalite, unmodified and in this process, reached through the port of the simulated AWS. */
export const dynamodbEngine = (options: {
  target: Target;
  wireServer: WireServer;
  /** The URL of `wireServer`. */
  awsUrl: string;
  /** The URL of another DynamoDB, which is used instead of dynalite. It must not have these tables yet. */
  otherDynamoDb?: string;
  /** The directory in which dynalite keeps the tables for the next start; in memory if omitted. */
  directory?: string;
  /** Called with the billed usage of requests. */
  count: Count;
  clock: Clock;
}): Engine => {
  const { target, wireServer, awsUrl, otherDynamoDb, directory, count, clock } = options;
  let opened: DynamoDBClient | undefined;

  const dynaliteHere = async (): Promise<Forward> => {
    if (directory !== undefined) await requireTables(directory);
    return inProcess(createDynalite({ ...AT_ONCE, path: directory }));
  };

  const open = async (): Promise<DynamoDBClient> => {
    const forward = otherDynamoDb === undefined ? await dynaliteHere() : proxy(otherDynamoDb);
    wireServer.forward('dynamodb', meteredTable(forward, count));
    return new DynamoDBClient({
      endpoint: awsUrl,
      region: target.region,
      credentials: { accessKeyId: target.accountId, secretAccessKey: 'none' },
    });
  };

  const create = async (resource: Resource): Promise<Identity> => {
    onlyKnown(resource, [...PASSED_ON, ...WITHOUT_EFFECT, 'TableName']);
    opened ??= await open();
    const client = opened;
    const TableName = String(resource.properties.TableName ?? `${target.stackName}-${resource.logicalId}`);
    const shape = Object.fromEntries(PASSED_ON.map((name) => [name, resource.properties[name]]));
    const wanted = { ...(shape as unknown as CreateTableCommandInput), TableName };
    const describe = async () => (await client.send(new DescribeTableCommand({ TableName }))).Table;
    try {
      await client.send(new CreateTableCommand(wanted));
    } catch (error) {
      if (directory === undefined) throw error;
      if (!(error instanceof ResourceInUseException)) throw error;
      requireSameShape(wanted, (await describe()) ?? {}, directory);
    }
    while ((await describe())?.TableStatus !== 'ACTIVE') await clock.sleep(CREATE_POLL_MS);
    const Arn = `arn:${target.partition}:dynamodb:${target.region}:${target.accountId}:table/${TableName}`;
    return { ref: TableName, attributes: { Arn } };
  };

  return {
    types: ['AWS::DynamoDB::Table'],
    create,
    // Files are left as after a kill: dynalite would wait for functions that were ended during a call.
    stop: async () => opened?.destroy(),
  };
};
