import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamoDbClient } from '../aws/clients/dynamodb.ts';
import type { Clock } from '../clock.ts';
import { PATIENCE } from '../test-patience.ts';
import { createTableInput } from './table.ts';

/** For tests only: a real DynamoDB engine in this process, with the clock and the random source of a test. */
export interface TestDatabase {
  client: DynamoDBDocumentClient;
  /** Creates an empty table and returns its name. */
  makeTable(): Promise<string>;
  stop(): Promise<void>;
}

type Dynalite = (options: { createTableMs?: number }) => Server;

/** Starts dynalite on a free loopback port. */
export const startTestDatabase = async (): Promise<TestDatabase> => {
  const dynalite = createRequire(import.meta.url)('dynalite') as Dynalite;
  const server = dynalite({ createTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createDynamoDbClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    // Client and server share an event loop: on a busy computer, hundreds of concurrent connections take longer than
    // with AWS.
    requestHandler: { connectionTimeout: PATIENCE.timeout, requestTimeout: PATIENCE.timeout },
  });
  let tables = 0;
  return {
    client,
    makeTable: async () => {
      tables += 1;
      const table = `objects-${tables}`;
      await client.send(new CreateTableCommand(createTableInput(table)));
      await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.01, maxDelay: 0.05 }, { TableName: table });
      return table;
    },
    stop: async () => {
      client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** A clock that a test advances; `sleep` only yields, so that no real time passes. */
export const testClock = (start = '2030-01-01T00:00:00Z'): Clock & { advance(seconds: number): void } => {
  let now = Date.parse(start);
  return {
    now: () => new Date(now),
    sleep: async () => {
      await new Promise((resolve) => setImmediate(resolve));
    },
    advance: (seconds) => {
      now += seconds * 1000;
    },
  };
};

interface AnyCommand {
  constructor: { name: string };
  input: unknown;
}

/**
 * The client with a hook before each request, which may wait, count, or throw instead. `name` is the name of the
 * command.
 */
export const interceptClient = (
  client: DynamoDBDocumentClient,
  before: (name: string, command: AnyCommand) => Promise<void> | void,
): DynamoDBDocumentClient =>
  new Proxy(client, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      if (property !== 'send') return value.bind(target);
      return async (command: AnyCommand, ...rest: unknown[]) => {
        await before(command.constructor.name, command);
        return value.call(target, command, ...rest);
      };
    },
  });
