import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { parse, stringify } from 'yaml';
import { WorkloadUnreachableError } from './client.ts';
import { makeConnectWorkload } from './connect.ts';
import {
  type Answer,
  type ClusterPems,
  connectOnLaptop,
  connectPatiently,
  kubeconfigFor,
  makeClusterPems,
  startTenantServer,
  type TenantServer,
} from './test-server.ts';

const CANARY = 'canary-51c2';
let pems: ClusterPems;
let server: TenantServer | undefined;
const home = mkdtempSync(join(tmpdir(), 'windlass-connect-'));
beforeAll(async () => {
  pems = await makeClusterPems();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const answering = async (answer: Answer): Promise<TenantServer> => {
  server = await startTenantServer(pems, answer);
  return server;
};

/** What a client reports about a server that gives this answer. */
const nodesBy = async (answer: Answer, connect = connectOnLaptop): Promise<string> => {
  const { target } = await answering(answer);
  const client = connect(target);
  try {
    return JSON.stringify(await client.nodes());
  } catch (error) {
    expect(error).toMatchObject({ name: expect.stringMatching(/^Workload(Unreachable|Refused)$/) });
    // Lambda also logs the fields of an error.
    expect(JSON.stringify({ ...(error as object) }) + inspect(error)).not.toContain(CANARY);
    return (error as Error).message;
  } finally {
    await client.close();
  }
};

const json = (response: Parameters<Answer>[1], value: unknown, code = 200): void => {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};

const node = (name: string) => ({ metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' } });

describe('a kubeconfig that a tenant has edited', () => {
  it('is read once for all requests, also if it is refused', async () => {
    const read = vi.fn(() => '{}');
    const target = { source: 'Secret red-kubeconfig', endpoint: undefined, kubeconfig: '' };
    Object.defineProperty(target, 'kubeconfig', { get: read });
    const client = connectOnLaptop(target);
    const asked = await Promise.allSettled([client.nodes(), client.controlPlanePods(), client.nodes()]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(read).toHaveBeenCalledOnce();
  });

  const run = async (change: (user: Record<string, unknown>) => void): Promise<string> => {
    const { target } = await answering((_, response) => json(response, { items: [node('a')] }));
    const config = parse(target.kubeconfig);
    change(config.users[0].user);
    const client = connectOnLaptop({ ...target, kubeconfig: stringify(config) });
    const error = await client.nodes().catch((caught: unknown) => caught);
    await client.close();
    expect(error).toBeInstanceOf(WorkloadUnreachableError);
    return (error as Error).message;
  };

  it('runs no command', async () => {
    const mark = join(home, 'ran');
    const script = join(home, 'steal.sh');
    const credential =
      '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"x"}}';
    writeFileSync(script, `#!/bin/sh\nenv > ${mark}\necho '${credential}'\n`, { mode: 0o700 });
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: script, interactiveMode: 'Never' };
    const said = await run((user) => Object.assign(user, { exec }));
    expect(existsSync(mark)).toBe(false);
    expect(said).toBe(
      'the kubeconfig in Secret red-kubeconfig cannot be used: users[0].user.exec names a program, which is not run: use client-certificate-data and client-key-data, or token',
    );
    expect(server?.asked).toEqual([]);
  });

  it('reads no file', async () => {
    const file = join(home, 'token');
    writeFileSync(file, CANARY);
    const said = await run((user) => Object.assign(user, { tokenFile: file }));
    expect(said).toContain('users[0].user.tokenFile names a file, which is not read');
    expect(server?.asked).toEqual([]);
  });
});

describe('a client of a workload cluster', () => {
  it('reads nodes page by page', async () => {
    const said = await nodesBy(
      ({ url = '' }, response) =>
        json(
          response,
          url.includes('continue=next')
            ? { items: [node('b')] }
            : { metadata: { continue: 'next' }, items: [node('a')] },
        ),
      connectPatiently,
    );
    expect(JSON.parse(said).map(({ metadata }: ReturnType<typeof node>) => metadata.name)).toEqual(['a', 'b']);
  });

  it('immediately requests less if a page is too large', async () => {
    const large = { ...node('a'), status: { images: ['x'.repeat(9 * 1024 * 1024)] } };
    const said = await nodesBy(
      ({ url = '' }, response) => json(response, { items: [url.includes('limit=250') ? large : node('a')] }),
      connectPatiently,
    );
    expect(JSON.parse(said)).toHaveLength(1);
  });

  it('does not connect to a name that resolves to loopback, even if it had another address before', async () => {
    const { port } = await answering((_, response) => json(response, { items: [] }));
    const endpoint = { host: 'api.example', port };
    const answers = ['203.0.113.9', '127.0.0.1'];
    const client = makeConnectWorkload({
      deadline: () => AbortSignal.timeout(500),
      reach: { loopback: false },
      resolve: async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }],
    })({ kubeconfig: kubeconfigFor(pems, `https://api.example:${port}`), source: 'Secret red-kubeconfig', endpoint });
    await expect(client.nodes()).rejects.toThrow();
    await expect(client.nodes()).rejects.toThrow('its name resolves to an address that is a loopback address');
    await client.close();
    expect(server?.asked).toEqual([]);
  });
});

describe('a hostile API server', () => {
  it('is disconnected if it does not answer in time', async () => {
    expect(await nodesBy(() => {})).toContain('it did not answer in time');
  });

  it('is disconnected if its answer is too slow', async () => {
    const said = await nodesBy((_, response) => {
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    });
    expect(said).toContain('it did not answer in time');
  });

  it('is disconnected if its answer is too large', async () => {
    const said = await nodesBy((_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    }, connectPatiently);
    expect(said).toContain('its answer has more than 8 MiB');
  });

  it('is disconnected if its list does not end', async () => {
    const items = Array.from({ length: 250 }, (_, index) => node(`n-${index}`));
    const said = await nodesBy((_, response) => json(response, { metadata: { continue: 'again' }, items }));
    expect(said).toMatch(/its list does not end|it did not answer in time/);
    expect(await nodesBy((_, response) => json(response, { metadata: { continue: 'x' }, items: [] }))).toContain(
      'its list does not end',
    );
  });

  it.each([
    ['no JSON', CANARY],
    ['no list', '{"kind":"Status"}'],
    ['a node without metadata', '{"items":[{}]}'],
    ['invalid labels', `{"items":[{"metadata":{"name":"a","labels":{"a":{"${CANARY}":1}}}}]}`],
    ['an invalid time', `{"items":[{"metadata":{"name":"a","creationTimestamp":"${CANARY}"}}]}`],
    ['values that are nested too deeply', '['.repeat(2_000_000)],
  ])('is refused if it answers with %s', async (_, text) => {
    const said = await nodesBy((__, response) => void response.writeHead(200).end(text));
    expect(said).toContain("the workload cluster's API server did not answer: it answered with an invalid ");
    expect(said).not.toContain(CANARY);
  });

  it.each([401, 403, 404, 429, 500, 503])('is not quoted when it answers %i', async (code) => {
    const status = {
      kind: 'Status',
      reason: `Forbidden ${CANARY}`,
      message: CANARY,
      details: { causes: [{ reason: CANARY, field: `data[${CANARY}]` }] },
    };
    const said = await nodesBy((_, response) => json(response, status, code));
    expect(said).toContain(String(code));
    expect(said).not.toContain(CANARY);
  });

  it.each([
    ['a pod without a name', `{"metadata":{"namespace":"${CANARY}"}}`],
    ['invalid labels', `{"metadata":{"name":"a","namespace":"b","labels":"${CANARY}"}}`],
    ['invalid volumes', `{"metadata":{"name":"a","namespace":"b"},"spec":{"volumes":{"${CANARY}":1}}}`],
  ])('is refused if it answers a drain with %s', async (_, pod) => {
    const { target } = await answering((__, response) => void response.writeHead(200).end(`{"items":[${pod}]}`));
    const client = connectOnLaptop(target);
    const error = await client.drain.podsOn('a').catch((caught: unknown) => caught);
    await client.close();
    expect(error).toMatchObject({ name: 'WorkloadUnreachable', message: expect.stringContaining('an invalid pod') });
    expect(String(error)).not.toContain(CANARY);
  });

  it('cannot redirect a request', async () => {
    const other = await startTenantServer(pems, (_, response) => json(response, { items: [] }));
    const said = await nodesBy(
      (_, response) => void response.writeHead(307, { location: `https://127.0.0.1:${other.port}/${CANARY}` }).end(),
    );
    expect(said).toContain('307');
    expect(said).not.toContain(CANARY);
    expect(other.asked).toEqual([]);
    await other.close();
  });

  it('is refused if another authority signed its certificate', async () => {
    const { target } = await answering((_, response) => json(response, { items: [] }));
    const others = await makeClusterPems();
    const client = connectOnLaptop({
      ...target,
      kubeconfig: kubeconfigFor(others, `https://127.0.0.1:${target.endpoint?.port}`),
    });
    await expect(client.nodes()).rejects.toThrow('its certificate is not signed by the authority of the kubeconfig');
    await client.close();
    expect(server?.asked).toEqual([]);
  });
});

describe('a command in a container of a hostile cluster', () => {
  type Socket = Parameters<Parameters<WebSocketServer['on']>[1]>[0];

  const execute = async (talk: (socket: Socket) => void) => {
    const { target, server: https } = await answering((_, response) => void response.writeHead(404).end());
    const sockets = new WebSocketServer({ server: https, handleProtocols: () => 'v5.channel.k8s.io' });
    sockets.on('connection', talk as never);
    const client = connectOnLaptop(target);
    const command = { namespace: 'kube-system', pod: 'etcd-a', container: 'etcd', command: ['etcdctl', 'a&b=c'] };
    try {
      return await client.execute(command);
    } finally {
      await client.close();
      for (const socket of sockets.clients) socket.terminate();
    }
  };
  const frame = (channel: number, text: string): Buffer => Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);
  // biome-ignore lint/suspicious/noExplicitAny: WebSocket of ws.
  type Any = any;

  it('returns its output and its exit code', async () => {
    const status = { status: 'Failure', details: { causes: [{ reason: 'ExitCode', message: '3' }] } };
    const result = await execute((socket: Any) => {
      for (const part of [frame(1, 'out'), frame(2, 'err'), frame(1, 'put'), frame(3, JSON.stringify(status))])
        socket.send(part);
    });
    expect(result).toEqual({ code: 3, stdout: 'output', stderr: 'err' });
  });

  it.each([
    ['does not end', () => {}, 'did not end in time'],
    [
      'writes without limit',
      (socket: Any) => {
        for (let i = 0; i < 40; i += 1) socket.send(frame(1, 'x'.repeat(100_000)));
      },
      'the command writes too much',
    ],
    ['sends a frame that is too large', (socket: Any) => socket.send(frame(1, 'x'.repeat(5_000_000))), 'pod etcd-a'],
    ['ends without a Status', (socket: Any) => socket.send(frame(3, CANARY)), 'without a Status'],
    [
      'ends without an exit code',
      (socket: Any) => socket.send(frame(3, JSON.stringify({ status: 'Failure', message: CANARY }))),
      'could not be run',
    ],
    ['closes the connection', (socket: Any) => socket.close(1008, CANARY), 'ended early'],
  ])('is abandoned if it %s', async (_, talk, why) => {
    const error = await execute(talk as never).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'WorkloadUnreachable', message: expect.stringContaining(why) });
    expect(String(error)).not.toContain(CANARY);
  });
});
