import type { Server } from 'node:http';
import {
  CreateTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type PutCommand } from '@aws-sdk/lib-dynamodb';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { createDynalite } from '../../infra/local/engines/dynamodb/quick-dynalite.ts';
import { inProcess } from '../../infra/local/engines/wire/in-process.ts';
import type { Clock } from '../../shared/clock.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { seededNumbers, seededRandom } from '../../shared/seeded-random.ts';
import { createDynamoStorage } from '../../shared/store/objects/dynamo-storage.ts';
import { createTableInput } from '../../shared/store/table.ts';
import type { SlowTime } from './slow-time.ts';

/** A new, empty storage for a run. */
export type OpenStorage = (clock: Clock, seed: number) => Promise<Storage>;

const LONGEST_WAY_MILLISECONDS = 1;

/** Memory with the latency of a database: reads and writes of different clients interleave. */
export const openMemory: OpenStorage = async (clock, seed) => {
  const storage = createMemoryStorage();
  const next = seededNumbers(seed);
  const travel = () => clock.sleep(Math.floor(next() * (1 + LONGEST_WAY_MILLISECONDS)));
  const far = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      await travel();
      return call(...args).finally(travel);
    };
  };
  const { get, list, create, update, remove, changes, latestVersion, listVersion } = storage;
  const versions = { latestVersion: far(latestVersion), listVersion: far(listVersion) };
  const reads = { get: far(get), list: far(list), changes, ...versions };
  return { ...reads, create: far(create), update: far(update), remove: far(remove) };
};

/** Passes requests to a server in this process that does not listen. */
const handlerOf = (server: Server) => {
  const answer = inProcess(server);
  return {
    handle: async ({ method, path, headers, body }: HttpRequest) => {
      const {
        status,
        headers: answered,
        ...rest
      } = await answer({
        ...{ method, url: new URL(path, ENDPOINT) },
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      });
      return { response: new HttpResponse({ statusCode: status, headers: answered, body: Buffer.from(rest.body) }) };
    },
  };
};

const ENDPOINT = 'http://dynalite';

const SIGNED = {
  authorization: 'AWS4-HMAC-SHA256 Credential=a/20300101/us-east-1/dynamodb/aws4_request, SignedHeaders=a, Signature=a',
  'x-amz-date': '20300101T000000Z',
};

/** Signatures are not verified here, and real ones would slow each request down. */
const signer = {
  sign: async (request: HttpRequest) => {
    Object.assign(request.headers, SIGNED);
    return request;
  },
} as NonNullable<DynamoDBClientConfig['signer']>;

/** Creates a new table in one dynalite of this process. */
const makeTables = () => {
  const requestHandler = handlerOf(createDynalite({ createTableMs: 0 }));
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const transport = { endpoint: ENDPOINT, region: 'us-east-1', signer, requestHandler };
  const base = new DynamoDBClient({ ...transport, credentials });
  const client = DynamoDBDocumentClient.from(base, { marshallOptions: { removeUndefinedValues: true } });
  let tables = 0;
  return async (): Promise<{ client: DynamoDBDocumentClient; table: string }> => {
    tables += 1;
    const table = `objects-${tables}`;
    await client.send(new CreateTableCommand(createTableInput(table)));
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.01, maxDelay: 0.05 }, { TableName: table });
    return { client, table };
  };
};

/** Secrets are not written here, so nothing is sealed. */
const sealer = { seal: async (plain: Uint8Array) => plain, open: async (sealed: Uint8Array) => sealed };

/** The durations of a request or a response. Both are maximum values, in milliseconds. */
export interface Network {
  usual: number;
  /** The share of slower ones, and their maximum duration. */
  delayed: { share: number; most: number };
}

/** The durations within a region. */
export const NEAR: Network = { usual: 5, delayed: { share: 0, most: 0 } };

/**
 * Most requests and responses take milliseconds; some take seconds, as when a process is paused or a packet is lost.
 */
export const DISTANT: Network = { usual: 20, delayed: { share: 0.1, most: 8_000 } };

/**
 * DynamoDB over a network. It runs on virtual time, so that a slow or busy computer delays nothing: a late write is
 * repeated, which makes others late.
 */
export const openDynalite = ({ real }: SlowTime, { usual, delayed }: Network): OpenStorage => {
  const makeTable = makeTables();
  return async (clock, seed) => {
    const { client, table } = await real(makeTable());
    const next = seededNumbers(seed);
    const travel = (): Promise<void> => clock.sleep(next() * (next() < delayed.share ? delayed.most : usual));
    const send = async (command: PutCommand): Promise<unknown> => {
      await travel();
      return real(client.send(command)).finally(travel);
    };
    // The SDK's paginators accept only an instance of the client.
    const distant = new Proxy(client, {
      get: (target, property) => (property === 'send' ? send : Reflect.get(target, property, target)),
    });
    return createDynamoStorage({ client: distant, table, clock, random: seededRandom(seed), sealer });
  };
};
