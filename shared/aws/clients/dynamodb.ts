import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ClientOptions, givenOptions } from './options.ts';
import { Sha256 } from './sha256.ts';

/**
 * The SDK goes through each input and output for what a log must not hold, also where its logger is one that does
 * nothing: of a list of 1,000 objects that is a tenth of the time.
 */
const LOGGING = 'loggerMiddleware';

/** A client of DynamoDB that takes and gives plain JavaScript values; undefined attributes are left out. */
export const createDynamoDbClient = (options: ClientOptions = {}): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({ ...givenOptions(options), sha256: Sha256 });
  client.middlewareStack.remove(LOGGING);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};
