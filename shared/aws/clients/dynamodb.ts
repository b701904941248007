import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ClientOptions, givenOptions } from './options.ts';
import { Sha256 } from './sha256.ts';

/**
 * The SDK filters each input and output for values that must not be logged, even if its logger does nothing: for a list
 * of 1,000 objects that is a tenth of the time.
 */
const LOGGING = 'loggerMiddleware';

/** A client of DynamoDB that takes and gives plain JavaScript values; undefined attributes are left out. */
export const createDynamoDbClient = (options: ClientOptions = {}): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({ ...givenOptions(options), sha256: Sha256 });
  client.middlewareStack.remove(LOGGING);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};
