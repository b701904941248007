/**
 * Connections inside the process instead of sockets: servers do not listen on real ports, and no name server is
 * queried.
 */
import type { Agent } from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { AddressInfo, Server } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { type Line, MemorySocket } from './memory-socket.ts';

const require = createRequire(import.meta.url);
const FIRST_FREE_PORT = 20_000;
const CONNECT_MILLISECONDS = 1;

type Net = typeof import('node:net');
type Http = typeof import('node:http');
type Tls = typeof import('node:tls');
type Place = { host?: string; port?: number | string };

const systemError = (code: string, syscall: string, address: string): Error =>
  Object.assign(new Error(`${syscall} ${code} ${address}`), { code, syscall, address });

const placeOf = (values: readonly unknown[]): Place => {
  const [first, second] = values;
  if (typeof first === 'object' && first !== null) return first as Place;
  return { port: Number(first), host: typeof second === 'string' ? second : 'localhost' };
};

const nameOf = ({ host = '127.0.0.1', port }: Place): string => `${host === 'localhost' ? '127.0.0.1' : host}:${port}`;

export interface NetworkOptions {
  now(): number;
  after(milliseconds: number, act: () => void): void;
  /**
   * The latency of each packet in milliseconds, with a separate sequence of numbers for each direction of a connection.
   */
  latencyOf(line: number): () => number;
}

const makeNetwork = (options: NetworkOptions) => {
  let lines = 0;
  /**
   * Each direction of a connection keeps the order of its packets. It is numbered at its first packet, not when it is
   * opened.
   */
  const openLine = (notBefore = 0): Line => {
    let latency: (() => number) | undefined;
    let last = notBefore;
    const carry = (act: () => void): void => {
      if (latency === undefined) {
        lines += 1;
        latency = options.latencyOf(lines);
      }
      const now = options.now();
      last = Math.max(last, now + latency());
      options.after(last - now, act);
    };
    return { now: options.now, carry };
  };
  const servers = new Map<string, Server>();
  let port = FIRST_FREE_PORT;
  const free = (): number => {
    port += 1;
    return port;
  };
  return {
    restart: (): void => {
      servers.clear();
      port = FIRST_FREE_PORT;
      lines = 0;
    },
    listen: (server: Server, place: Place): void => {
      const host = place.host ?? '127.0.0.1';
      const address: AddressInfo = { address: host, port: Number(place.port) || free(), family: 'IPv4' };
      const name = nameOf({ host, port: address.port });
      if (servers.has(name)) {
        process.nextTick(() => server.emit('error', systemError('EADDRINUSE', 'listen', name)));
        return;
      }
      servers.set(name, server);
      const handle = {
        close: () => void (servers.get(name) === server && servers.delete(name)),
        getsockname: (out: object): number => {
          Object.assign(out, address);
          return 0;
        },
        ref: () => {},
        unref: () => {},
      };
      Object.assign(server, { _handle: handle });
      process.nextTick(() => server.emit('listening'));
    },
    connect: (place: Place): MemorySocket => {
      const local = free();
      const remote = Number(place.port);
      const client = new MemorySocket({ remote, local }, openLine(options.now() + CONNECT_MILLISECONDS));
      options.after(CONNECT_MILLISECONDS, () => {
        const server = servers.get(nameOf(place));
        if (client.destroyed) return;
        if (server === undefined) {
          client.destroy(systemError('ECONNREFUSED', 'connect', nameOf(place)));
          return;
        }
        const other = new MemorySocket({ remote: local, local: remote }, openLine());
        client.join(other);
        other.join(client);
        server.emit('connection', other);
        client.emit('connect');
      });
      return client;
    },
  };
};

const patchServers = (network: ReturnType<typeof makeNetwork>): void => {
  const { Server } = require('node:net') as Net;
  Server.prototype.listen = function (this: Server, ...values: unknown[]) {
    const callback = values.at(-1);
    if (typeof callback === 'function') this.once('listening', callback as () => void);
    // Node ends connections with slow requests, according to the computer's clock, which continues while copies run.
    if ('headersTimeout' in this) Object.assign(this, { headersTimeout: 0, requestTimeout: 0 });
    network.listen(this, placeOf(values.filter((value) => typeof value !== 'function')));
    return this;
  } as Server['listen'];
  // Node's own list has no reproducible order.
  for (const { Server: HttpServer } of [require('node:http') as Http, require('node:https') as Http])
    HttpServer.prototype.closeIdleConnections = () => {};
};

const patchClients = (network: ReturnType<typeof makeNetwork>): void => {
  const net = require('node:net') as { -readonly [Name in keyof Net]: Net[Name] };
  const tls = require('node:tls') as { -readonly [Name in keyof Tls]: Tls[Name] };
  const http = require('node:http') as Http;
  const open = (...values: unknown[]) => {
    const socket = network.connect(placeOf(values));
    const callback = values.at(-1);
    if (typeof callback === 'function') socket.once('connect', callback as () => void);
    return socket;
  };
  net.connect = open as unknown as Net['connect'];
  net.createConnection = open as unknown as Net['createConnection'];
  (http.Agent.prototype as Agent & { createConnection: unknown }).createConnection = open;
  const secure = tls.connect as (options: ConnectionOptions, callback?: () => void) => import('node:tls').TLSSocket;
  tls.connect = ((options: ConnectionOptions, callback?: () => void) =>
    secure({ ...options, socket: options.socket ?? network.connect(options) }, callback)) as Tls['connect'];
};

/** No name server is queried: simulated names are addresses. */
const patchNames = (): void => {
  const dns = require('node:dns') as Record<string, unknown>;
  const { isIP } = require('node:net') as Net;
  const addressOf = (host: string): { address: string; family: number } => {
    if (host === 'localhost') return { address: '127.0.0.1', family: 4 };
    if (isIP(host) === 0) throw systemError('ENOTFOUND', 'getaddrinfo', host);
    return { address: host, family: isIP(host) };
  };
  const promised = dns.promises as Record<string, unknown>;
  promised.lookup = async (host: string, { all = false }: { all?: boolean } = {}) =>
    all ? [addressOf(host)] : addressOf(host);
  dns.lookup = () => {
    throw new Error('the simulation looks up names by promises only');
  };
};

/** Returns a function that closes all ports for a new run. */
export const patchNetwork = (options: NetworkOptions): (() => void) => {
  const network = makeNetwork(options);
  patchServers(network);
  patchClients(network);
  patchNames();
  syncBuiltinESMExports();
  return network.restart;
};
