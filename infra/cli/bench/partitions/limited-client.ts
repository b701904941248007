/** A DynamoDB client that enforces AWS's limits per partition. */
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PartitionLimits } from './limits.ts';
import { LOCAL_INDEX, makePartitionsOf, type TableRequest, type Touched } from './partitions-of.ts';

interface Command {
  constructor: { name: string };
  input: TableRequest & { ReturnConsumedCapacity?: string };
}

const charge = (limits: PartitionLimits, { kind, own, indexes }: Touched, used: ConsumedCapacity): void => {
  const local = used.LocalSecondaryIndexes?.[LOCAL_INDEX]?.CapacityUnits ?? 0;
  if (own !== undefined) limits.charge(kind, own, (used.Table?.CapacityUnits ?? 0) + local);
  for (const [name, partition] of indexes)
    limits.charge(kind, partition, used.GlobalSecondaryIndexes?.[name]?.CapacityUnits ?? 0);
};

/**
 * Passes on gets, queries and writes of single items; other commands are refused. The SDK's pagination helpers accept
 * it too. `partitionsOf` knows what was written by other such clients.
 */
export const limitedClient = (
  client: DynamoDBDocumentClient,
  limits: PartitionLimits,
  partitionsOf = makePartitionsOf(),
): DynamoDBDocumentClient => {
  const send = async (command: Command): Promise<unknown> => {
    const touched = partitionsOf(command.constructor.name, command.input);
    const { kind, own, indexes } = touched;
    limits.admit(kind, [...(own === undefined ? [] : [own]), ...indexes.values()]);
    command.input.ReturnConsumedCapacity = 'INDEXES';
    const answer = (await client.send(command as never)) as { ConsumedCapacity?: ConsumedCapacity };
    charge(limits, touched, answer.ConsumedCapacity ?? {});
    return answer;
  };
  return new Proxy(client, {
    get: (target, property) => (property === 'send' ? send : Reflect.get(target, property, target)),
  });
};
