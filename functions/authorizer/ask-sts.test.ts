import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { Clock } from '../../shared/clock.ts';
import { systemClock } from '../../shared/clock.ts';
import { makeAskSts } from './ask-sts.ts';
import { HOST } from './fixtures.ts';

const withServer = async <T>(
  answer: (request: IncomingMessage) => { status: number; body: string } | undefined,
  use: (url: string) => Promise<T>,
): Promise<T> => {
  const server = createServer((request, response) => {
    const given = answer(request);
    if (given) response.writeHead(given.status, { location: '/elsewhere' }).end(given.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

const REQUEST = { host: HOST, path: '/?Action=GetCallerIdentity&x=%20', headers: { 'x-k8s-aws-id': 'id' } };

it('sends path, query, headers and the signed host to the configured endpoint', async () => {
  const seen: unknown[] = [];
  const result = await withServer(
    ({ method, url, headers }) => {
      seen.push([method, url, headers.host, headers['x-k8s-aws-id']]);
      return { status: 200, body: 'ok' };
    },
    (url) => makeAskSts(url, systemClock)(REQUEST),
  );
  expect(result).toEqual({ status: 200, body: 'ok' });
  expect(seen).toEqual([['GET', REQUEST.path, HOST, 'id']]);
});

it('does not follow a redirect', async () => {
  const asked: unknown[] = [];
  const result = await withServer(
    ({ url }) => {
      asked.push(url);
      return { status: 302, body: '' };
    },
    (url) => makeAskSts(url, systemClock)(REQUEST),
  );
  expect([result.status, asked.length]).toEqual([302, 1]);
});

it('gives up when STS does not answer in 10 seconds', async () => {
  const waited: number[] = [];
  const clock: Clock = {
    now: () => new Date(),
    sleep: async (milliseconds) => {
      waited.push(milliseconds);
    },
  };
  await withServer(
    () => undefined,
    async (url) => expect(makeAskSts(url, clock)(REQUEST)).rejects.toThrow(),
  );
  expect(waited).toEqual([10_000]);
});
