/**
 * An AWS endpoint: one port for all services, addressed by unmodified clients through AWS_ENDPOINT_URL and routed by
 * the credential scope of each request's signature. Signatures of ordinary requests are not verified.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../../../shared/clock.ts';
import type { Log } from '../../../../shared/log.ts';
import type { Random } from '../../../../shared/random.ts';
import { closing } from '../../closing.ts';
import { type Call, scopeOf, type WireRequest, type WireResponse } from './call.ts';
import { type Exchange, type Gate, makeDispatch, type WriteFault } from './dispatch.ts';
import { AwsFault } from './fault.ts';
import type { AnyHandlers, Handlers } from './handlers.ts';
import { jsonFault, targetOf } from './json-protocol.ts';
import { type ClientClass, describeService, type Service } from './service.ts';

export interface WireServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Asked before and after every call; may throw an AwsFault (injected errors, throttling). */
  readonly gate?: Gate;
  /** Called for every call before it has any effect, with its decoded input; that of a forwarded one is empty. */
  readonly onRequest?: (call: Call, input: object) => void;
  /** Called for every answered call. `code` is the error code, undefined if the call succeeded. */
  readonly onCall?: (call: Call, code: string | undefined, exchange: Exchange) => void;
  /** The account that a caller works in, by its access key; without it there is one account. */
  readonly accountOf?: (accessKeyId: string) => string;
}

/** A request before its signature was read. */
export type ReceivedRequest = Pick<WireRequest, 'method' | 'url' | 'headers' | 'body'>;

/** Answers the requests of a service in any way it likes. */
export type Forward = (request: WireRequest) => Promise<WireResponse>;

export interface WireServer {
  /**
   * Adds a service. `client` and `module` are the SDK client class and its package; `handlers` answer its operations,
   * one set for all, or one for each region and account (asked once for each). An operation without a handler is refused by name.
   */
  add<Module extends object>(
    client: ClientClass,
    module: Module,
    handlers: Handlers<Module> | ((region: string, account: string) => Handlers<Module>),
  ): WireServer;
  /**
   * Hands all requests that are signed for `signingName` to `forward`; the gate applies to them as well. `writeFault`
   * writes the gate's refusals; AWS JSON is the default.
   */
  forward(signingName: string, forward: Forward, writeFault?: WriteFault): WireServer;
  /** Answers a request that came another way than over HTTP. */
  answer(request: ReceivedRequest): Promise<WireResponse>;
  /** Listens and returns the URL. Port 0, the default, uses a free one. Rejects if the port is taken. */
  listen(port?: number, host?: string): Promise<string>;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

const bodyOf = (message: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => resolve(Buffer.concat(chunks)));
    message.on('error', reject);
  });

const receive = async (message: IncomingMessage): Promise<ReceivedRequest> => {
  const url = new URL(message.url ?? '/', `http://${message.headers.host ?? 'localhost'}`);
  return { method: message.method ?? 'GET', url, headers: message.headers, body: await bodyOf(message) };
};

const handlersPerRegion = <Module>(
  handlers: Handlers<Module> | ((region: string, account: string) => Handlers<Module>),
  accountOf: (accessKeyId: string) => string,
): Service['handlersFor'] => {
  if (typeof handlers !== 'function') return () => handlers as AnyHandlers;
  const known = new Map<string, AnyHandlers>();
  return (region, accessKeyId) => {
    const account = accountOf(accessKeyId);
    const key = `${account} ${region}`;
    const found = known.get(key) ?? (handlers(region, account) as AnyHandlers);
    known.set(key, found);
    return found;
  };
};

const unsigned = (): WireResponse =>
  jsonFault(
    new AwsFault('MissingAuthenticationToken', 'Request is missing Authentication Token', 403),
    'application/json',
  );

/** The operation of a request that is passed on unread: by its header, or in the form of a query protocol. */
const forwardedOperation = (request: WireRequest): string =>
  targetOf(request) || (new URLSearchParams(request.body.toString()).get('Action') ?? '');

/** Two generations of a service may share a signing name: a query names the version of the API that it is meant for. */
const serviceOf = (services: readonly Service[], request: WireRequest): Service | undefined => {
  if (services.length < 2) return services[0];
  const version = new URLSearchParams(request.body.toString()).get('Version') ?? '';
  return services.find(({ xmlNamespace }) => xmlNamespace.includes(version));
};

/** Makes an AWS endpoint that knows no services yet. */
export const createWireServer = (options: WireServerOptions): WireServer => {
  const services = new Map<string, Service[]>();
  const forwards = new Map<string, { forward: Forward; writeFault: WriteFault | undefined }>();
  const dispatch = makeDispatch(options);

  const answer = async (received: ReceivedRequest): Promise<WireResponse> => {
    const scope = scopeOf(received.url, received.headers.authorization);
    if (!scope) return unsigned();
    const request = { ...received, scope, requestId: options.random.uuid() };
    const service = serviceOf(services.get(scope.service) ?? [], request);
    if (service) return dispatch.toService(service, request);
    const forwarded = forwards.get(scope.service);
    if (forwarded) return dispatch.toForward(forwardedOperation(request), forwarded, request);
    const fault = new AwsFault('NotSimulated', `the service ${scope.service} is not simulated`, 501);
    return jsonFault(fault, 'application/json');
  };

  const http = createServer((message, response) => {
    receive(message)
      .then(answer)
      .then(
        ({ status, headers, body }) => response.writeHead(status, { ...headers }).end(body),
        (error: unknown) => {
          options.log.error('a request to the simulated AWS could not be answered', { error: String(error) });
          response.destroy();
        },
      );
  });
  http.keepAliveTimeout = 60_000;
  const close = closing(http);

  const server: WireServer = {
    add: (client, module, handlers) => {
      const service = describeService(client, module, handlersPerRegion(handlers, options.accountOf ?? (() => '')));
      const others = (services.get(service.signingName) ?? []).filter(
        ({ xmlNamespace }) => xmlNamespace !== service.xmlNamespace,
      );
      services.set(service.signingName, [...others, service]);
      return server;
    },
    forward: (signingName, forward, writeFault) => {
      // What is forwarded is no longer answered here.
      services.delete(signingName);
      forwards.set(signingName, { forward, writeFault });
      return server;
    },
    answer,
    listen: (port = 0, host = '127.0.0.1') =>
      new Promise((resolve, reject) => {
        http.once('error', reject);
        http.listen(port, host, () => {
          http.off('error', reject);
          resolve(`http://${host}:${(http.address() as AddressInfo).port}`);
        });
      }),
    close,
  };
  return server;
};
