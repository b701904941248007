import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MODULE = new URL('./process.ts', import.meta.url).href;

/** The output of a program in a separate virtual process, because built-in functions cannot be restored. */
const printed = async (program: string): Promise<string> => {
  const script = `
    const { virtualize } = await import('${MODULE}');
    const { scheduler, restart } = virtualize(() => true);
    const run = async (work) => {
      let done = false;
      const ended = work.finally(() => { done = true; });
      ended.catch(() => undefined);
      await scheduler.run(() => done, scheduler.now() + 1e9);
      return ended;
    };
    const timers = await import('node:timers/promises');
    const crypto = await import('node:crypto');
    const net = await import('node:net');
    const http = await import('node:http');
    ${program}
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.trim();
};

it('hours pass in no time, and timers fire in the order in which they are due', async () => {
  const program = `
    const begin = Date.now();
    const said = [];
    const at = (name) => said.push(name + (new Date() - begin));
    await run(Promise.all([
      timers.setTimeout(7_200_000).then(() => at('b')),
      new Promise((resolve) => setTimeout(resolve, 3_600_000)).then(() => at('a')),
      new Promise((resolve) => AbortSignal.timeout(9_000_000).addEventListener('abort', resolve)).then(() => at('c')),
    ]));
    console.log(said.join(' '), performance.now());`;
  expect(await printed(program)).toBe('a3600000 b7200000 c9000000 9000000');
});

it('the same seed gives the same random values in every API', async () => {
  const program = `
    const draw = (seed) => {
      restart(seed);
      const bytes = crypto.getRandomValues ? globalThis.crypto.getRandomValues(new Uint8Array(4)) : [];
      return [Math.random(), crypto.randomUUID(), crypto.randomBytes(4).toString('hex'), [...bytes]].join();
    };
    const [one, again, other] = [draw(1), draw(1), draw(2)];
    console.log(one === again, one === other);`;
  expect(await printed(program)).toBe('true false');
});

it('requests between programs are carried without a socket, in virtual time', async () => {
  const program = `
    const server = http.createServer((request, response) => response.end('hello ' + request.url));
    await run(new Promise((resolve) => server.listen(0, resolve)));
    const { port } = server.address();
    const begin = Date.now();
    const text = await run(new Promise((resolve) => http.get({ port, path: '/there' }, async (response) => {
      resolve(Buffer.concat(await response.toArray()).toString());
    })));
    const refused = await run(new Promise((resolve) => http.get({ port: 1 }).on('error', ({ code }) => resolve(code))));
    console.log(text, Date.now() > begin, refused);`;
  expect(await printed(program)).toBe('hello /there true ECONNREFUSED');
});

it('a connection does not time out before its request, however long the computer takes', async () => {
  const program = `
    const options = { headersTimeout: 1, requestTimeout: 1, connectionsCheckingInterval: 1 };
    const server = http.createServer(options, (request, response) => response.end('hello'));
    await run(new Promise((resolve) => server.listen(0, resolve)));
    const socket = net.connect(server.address().port);
    await run(new Promise((resolve) => socket.once('connect', resolve)));
    const until = process.cpuUsage().user + 50_000;
    while (process.cpuUsage().user < until) await new Promise((resolve) => setImmediate(resolve));
    socket.end('GET / HTTP/1.1\\r\\nhost: a\\r\\nconnection: close\\r\\n\\r\\n');
    console.log(Buffer.concat(await run(socket.toArray())).toString().split('\\r')[0]);`;
  expect(await printed(program)).toBe('HTTP/1.1 200 OK');
});

it('a run that opens a real socket ends with an error', async () => {
  const program = `
    const socket = new net.Socket();
    socket.on('error', () => {});
    socket.connect(9, '192.0.2.1');
    console.log(await run(timers.setTimeout(10)).catch(({ message }) => message));`;
  expect(await printed(program)).toMatch(/^the program reached past the simulation: it has a TCP/);
});
