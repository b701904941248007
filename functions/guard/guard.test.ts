import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { Cluster } from '../../shared/kinds/index.ts';
import { jsonLog } from '../../shared/log.ts';
import { makeGuard } from './guard.ts';
import { putAnswer } from './put-answer.ts';

const URL = 'https://cloudformation.example/answer?signature=secret';

const cluster = (name: string) => ({ metadata: { namespace: 'default', name } }) as Cluster;

const setUp = (listClusters: () => Promise<Cluster[]>) => {
  const answers: Record<string, unknown>[] = [];
  const lines: string[] = [];
  const guard = makeGuard({
    listClusters,
    put: async (url, body) => {
      expect(url).toBe(URL);
      answers.push(JSON.parse(body));
    },
    log: jsonLog((line) => lines.push(line)),
  });
  const ask = async (RequestType: 'Create' | 'Update' | 'Delete', destroyWithClusters = 'false') => {
    await guard({
      RequestType,
      ResponseURL: URL,
      StackId: 'stack',
      RequestId: 'request',
      LogicalResourceId: 'Guard',
      PhysicalResourceId: RequestType === 'Create' ? undefined : 'windlass-guard',
      ResourceProperties: { destroyWithClusters },
    });
    expect(answers).toHaveLength(1);
    return answers[0];
  };
  return { guard, ask, lines };
};

it('allows the deletion of a stack without clusters', async () => {
  expect(await setUp(async () => []).ask('Delete')).toMatchObject({
    Status: 'SUCCESS',
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'Guard',
    PhysicalResourceId: 'windlass-guard',
  });
});

it('refuses the deletion of a stack with clusters, names them and the alternatives', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `c${index}`);
  const answer = await setUp(async () => names.map(cluster)).ask('Delete');
  expect(answer).toMatchObject({ Status: 'FAILED' });
  expect(answer?.Reason).toMatch(/^There are 12 clusters: default\/c0, .* and 2 more\. Delete them first/);
  expect(answer?.Reason).toContain('destroyWithClusters=true');
});

it('allows the deletion of a stack with clusters if the settings say so', async () => {
  expect(await setUp(async () => [cluster('a')]).ask('Delete', 'true')).toMatchObject({ Status: 'SUCCESS' });
});

it('refuses the deletion if the clusters cannot be counted', async () => {
  const fail = async () => Promise.reject(Object.assign(new Error('no'), { name: 'AccessDeniedException' }));
  expect(await setUp(fail).ask('Delete')).toMatchObject({
    Status: 'FAILED',
    Reason: expect.stringContaining('could not be counted (AccessDeniedException)'),
  });
});

it.each(['Create', 'Update'] as const)('allows any %s request, and keeps its id', async (request) => {
  const answer = await setUp(async () => [cluster('a')]).ask(request);
  expect(answer).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'windlass-guard' });
});

it('lists the existing clusters on request', async () => {
  const { guard } = setUp(async () => [cluster('b'), cluster('a')]);
  expect(await guard({ RequestType: 'Count' })).toEqual({ clusters: ['default/a', 'default/b'] });
});

it('does not log the address for the answer', async () => {
  const { ask, lines } = setUp(async () => [cluster('a')]);
  await ask('Delete');
  expect(lines.join('')).toContain('answered CloudFormation');
  expect(lines.join('')).not.toContain('secret');
});

it('sends the answer without a content type, which the signature of the address does not cover', async () => {
  const seen: { method?: string; type?: string; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ method: request.method, type: request.headers['content-type'], body });
      response.statusCode = seen.length === 1 ? 200 : 403;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await putAnswer(url, '{}');
    expect(seen).toEqual([{ method: 'PUT', type: undefined, body: '{}' }]);
    await expect(putAnswer(url, '{}')).rejects.toThrow('did not accept the response: 403');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
