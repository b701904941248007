import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import type { Clock } from '../../../../shared/clock.ts';
import { type Engine, onlyKnown, type Resource } from '../../engine.ts';
import type { Identity, Target } from '../../template.ts';
import { inProcess } from '../wire/in-process.ts';
import { proxy } from '../wire/proxy.ts';
import type { Forward, WireServer } from '../wire/server.ts';

/** What CreateTable takes from the template as it stands. */
const PASSED_ON = [
  'AttributeDefinitions',
  'BillingMode',
  'GlobalSecondaryIndexes',
  'KeySchema',
  'LocalSecondaryIndexes',
] as const;

/**
 * Backups, encryption and protection mean nothing in memory. Time to live: DynamoDB may take days to drop an expired
 * item, so readers must tell expired items themselves, and here they stay until the process ends.
 */
const WITHOUT_EFFECT = [
  'DeletionProtectionEnabled',
  'PointInTimeRecoverySpecification',
  'SSESpecification',
  'TimeToLiveSpecification',
];

const CREATE_POLL_MS = 5;

const dynaliteHere = (): Forward => inProcess(dynalite({ createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 }));

/** Tables in dynalite, unmodified and in process, reached through the port of the simulated AWS. */
export const dynamodbEngine = (options: {
  target: Target;
  wireServer: WireServer;
  /** URL of `wireServer`. */
  awsUrl: string;
  /** The URL of another DynamoDB, which answers in dynalite's place. Its tables must not exist yet. */
  otherDynamoDb?: string;
  clock: Clock;
}): Engine => {
  const { target, wireServer, awsUrl, otherDynamoDb, clock } = options;
  let opened: DynamoDBClient | undefined;

  const open = (): DynamoDBClient => {
    wireServer.forward('dynamodb', otherDynamoDb === undefined ? dynaliteHere() : proxy(otherDynamoDb));
    return new DynamoDBClient({
      endpoint: awsUrl,
      region: target.region,
      credentials: { accessKeyId: target.accountId, secretAccessKey: 'none' },
    });
  };

  const create = async (resource: Resource): Promise<Identity> => {
    onlyKnown(resource, [...PASSED_ON, ...WITHOUT_EFFECT, 'TableName']);
    opened ??= open();
    const client = opened;
    const TableName = String(resource.properties.TableName ?? `${target.stackName}-${resource.logicalId}`);
    const shape = Object.fromEntries(PASSED_ON.map((name) => [name, resource.properties[name]]));
    await client.send(new CreateTableCommand({ ...(shape as unknown as CreateTableCommandInput), TableName }));
    const status = async () => (await client.send(new DescribeTableCommand({ TableName }))).Table?.TableStatus;
    while ((await status()) !== 'ACTIVE') await clock.sleep(CREATE_POLL_MS);
    const Arn = `arn:${target.partition}:dynamodb:${target.region}:${target.accountId}:table/${TableName}`;
    return { ref: TableName, attributes: { Arn } };
  };

  return {
    types: ['AWS::DynamoDB::Table'],
    create,
    stop: async () => opened?.destroy(),
  };
};
