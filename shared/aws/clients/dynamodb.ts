import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ClientOptions, givenOptions } from './options.ts';
import { Sha256 } from './sha256.ts';

/** A client of DynamoDB that takes and gives plain JavaScript values; undefined attributes are left out. */
export const createDynamoDbClient = (options: ClientOptions = {}): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ ...givenOptions(options), sha256: Sha256 }), {
    marshallOptions: { removeUndefinedValues: true },
  });
