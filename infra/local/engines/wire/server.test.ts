import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { jsonLog } from '../../../../shared/log.ts';
import { codeOf, makeHandClock, makeSeededRandom } from '../../test-aws.ts';
import { AwsFault } from './fault.ts';
import { proxy } from './proxy.ts';
import { createWireServer, type WireServer } from './server.ts';
import { clientConfig, useTestWire } from './test-wire.ts';

const wire = useTestWire();
let server: WireServer;
let url: string;
beforeEach(() => {
  ({ server, url } = wire);
});

describe('forwarding', () => {
  it('relays requests to another endpoint unchanged', async () => {
    const bodies: string[] = [];
    const other = createServer((request, response) => {
      request.on('data', (chunk) => bodies.push(`${request.headers['x-amz-target']} ${chunk}`));
      request.on('end', () => response.setHeader('x-mine', 'kept').end('{"TableNames":["one"]}'));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    server.forward('dynamodb', proxy(`http://127.0.0.1:${(other.address() as AddressInfo).port}`));
    const client = new dynamodb.DynamoDBClient(clientConfig(url));

    const { TableNames } = await client.send(new dynamodb.ListTablesCommand({ Limit: 1 }));
    other.close();

    expect(TableNames).toEqual(['one']);
    expect(bodies).toEqual(['DynamoDB_20120810.ListTables {"Limit":1}']);
  });

  it('passes the gate like all other calls', async () => {
    const gated = createWireServer({
      clock: makeHandClock(),
      random: makeSeededRandom('gate'),
      log: jsonLog(() => {}),
      gate: {
        before: ({ service, operation }) => {
          throw new AwsFault('ProvisionedThroughputExceededException', `${service} ${operation}`);
        },
        after: () => {},
      },
    }).forward('dynamodb', () => Promise.reject(new Error('must not be reached')));
    const client = new dynamodb.DynamoDBClient(clientConfig(await gated.listen()));

    const call = client.send(new dynamodb.ListTablesCommand({}));
    await expect(call).rejects.toBeInstanceOf(dynamodb.ProvisionedThroughputExceededException);
    await expect(call).rejects.toThrow('dynamodb ListTables');
    await gated.close();
  });
});

it('refuses a request without a signature', async () => {
  const response = await fetch(url, { method: 'POST', body: 'Action=DescribeVpcs' });

  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ __type: 'MissingAuthenticationToken' });
});

it('reports that a port is in use', async () => {
  const second = createWireServer({ clock: makeHandClock(), random: makeSeededRandom('2'), log: jsonLog(() => {}) });

  await expect(second.listen(Number(new URL(url).port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(await codeOf(second.listen(Number(new URL(url).port)))).toBe('Error');
});
