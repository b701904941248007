import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ClientOptions, givenOptions } from './options.ts';
import { Sha256 } from './sha256.ts';
import { unlogged } from './unlogged.ts';

/** A client of DynamoDB that accepts and returns plain JavaScript values. Undefined attributes are left out. */
export const createDynamoDbClient = (options: ClientOptions = {}): DynamoDBDocumentClient => {
  const client = unlogged(new DynamoDBClient({ ...givenOptions(options), sha256: Sha256 }));
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};
