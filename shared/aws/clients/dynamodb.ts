import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ClientOptions, givenOptions } from './options.ts';

/** A client of DynamoDB that takes and gives plain JavaScript values; undefined attributes are left out. */
export const createDynamoDbClient = (options: ClientOptions = {}): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient(givenOptions(options)), {
    marshallOptions: { removeUndefinedValues: true },
  });
