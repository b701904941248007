/** One deployed stage of a REST API: it routes and authorizes requests, calls the function and streams its response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../../shared/clock.ts';
import type { Log } from '../../../../shared/log.ts';
import type { Random } from '../../../../shared/random.ts';
import { FunctionError } from '../lambda/failure.ts';
import type { ChunkReader } from '../lambda/pending.ts';
import type { Authorize, Verdict } from './authorize.ts';
import type { RefusalType, Refuse } from './refusals.ts';
import { type Arrival, proxyEvent, readBody } from './request.ts';
import type { makeRouter, Route } from './routes.ts';
import { makeStreamedResponse } from './streamed-response.ts';

export interface GatewayOptions {
  partition: string;
  region: string;
  accountId: string;
  apiId: string;
  stage: string;
  binaryTypes: readonly string[];
  route: ReturnType<typeof makeRouter>;
  authorizers: ReadonlyMap<string, Authorize>;
  refuse: Refuse;
  stream(functionArn: string, event: unknown, reader: ChunkReader, signal: AbortSignal): Promise<void>;
  clock: Clock;
  random: Random;
  log: Log;
}

/** One request and the way to answer it. */
interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  requestId: string;
}

const authorize = async (options: GatewayOptions, { method }: Route, arrival: Arrival): Promise<Verdict> => {
  if (method.authorizerId === undefined) return { caller: undefined };
  const ask = options.authorizers.get(method.authorizerId);
  if (ask === undefined) return { refusal: 'AUTHORIZER_FAILURE' };
  const { partition, region, accountId, apiId, stage } = options;
  const api = `arn:${partition}:execute-api:${region}:${accountId}:${apiId}/${stage}`;
  return ask(arrival.incoming.headers, `${api}/${arrival.method}${arrival.path}`);
};

/** Aborts when the client disconnects before it has its response. */
const leaving = (outgoing: ServerResponse): AbortSignal => {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  return gone.signal;
};

/** Maps the errors that Lambda itself reports, by name. */
const refusalOf = (error: unknown): RefusalType => {
  if (!(error instanceof FunctionError)) return 'INTEGRATION_FAILURE';
  if (error.name === 'Sandbox.Timedout') return 'INTEGRATION_TIMEOUT';
  return error.name === 'RequestTooLargeException' ? 'REQUEST_TOO_LARGE' : 'INTEGRATION_FAILURE';
};

/** Calls the function and forwards its response. Returns the refusal if there was none. */
const call = async (
  options: GatewayOptions,
  { method, resourcePath, pathParameters }: Route,
  arrival: Arrival,
  { outgoing, requestId, authorizer }: Exchange & { authorizer: Readonly<Record<string, unknown>> | undefined },
): Promise<RefusalType | undefined> => {
  const { log, clock, stream } = options;
  const { path } = arrival;
  const place = { resourceId: method.resourceId, resourcePath, pathParameters, at: clock.now() };
  const event = proxyEvent(arrival, { ...options, requestId, authorizer, ...place });
  const streamed = makeStreamedResponse(outgoing, { 'x-amzn-requestid': requestId });
  try {
    await stream(method.functionArn, event, streamed.reader, leaving(outgoing));
    if (streamed.hasBegun()) {
      outgoing.end();
      return undefined;
    }
    log.error('a function ended its stream without valid metadata', { path });
    return 'INTEGRATION_FAILURE';
  } catch (error) {
    if (outgoing.destroyed) return undefined; // the client has disconnected, and the function was notified
    const { name, message } = error as Error;
    log.error('a function failed to answer', { path, error: name, reason: message });
    if (!streamed.hasBegun()) return refusalOf(error);
    // The client must notice that something is missing.
    outgoing.destroy();
    return undefined;
  }
};

const answer = async (options: GatewayOptions, exchange: Exchange): Promise<RefusalType | undefined> => {
  const { incoming } = exchange;
  const url = new URL(incoming.url ?? '/', 'https://laptop');
  const [, first, ...rest] = url.pathname.split('/');
  const path = `/${rest.join('/')}`;
  const method = incoming.method ?? 'GET';
  const found = first === options.stage ? options.route(method, path) : undefined;
  if (found === undefined) return 'MISSING_AUTHENTICATION_TOKEN';
  const body = await readBody(incoming);
  if (body === undefined) return 'REQUEST_TOO_LARGE';
  // API Gateway splits a query at semicolons, too: see its developer guide, "Amazon API Gateway important notes".
  const query = new URLSearchParams(url.search.replaceAll(';', '&'));
  const arrival: Arrival = { method, path, query, incoming, body };
  const verdict = await authorize(options, found, arrival);
  if ('refusal' in verdict) return verdict.refusal;
  return call(options, found, arrival, { ...exchange, authorizer: verdict.caller });
};

/** Answers requests as the stage would. Never rejects. */
export const makeGateway =
  (options: GatewayOptions) =>
  async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const requestId = options.random.uuid();
    const refuse = (type: RefusalType): void => {
      const { status, headers, body } = options.refuse(type, requestId);
      outgoing.writeHead(status, headers).end(body);
    };
    try {
      const refusal = await answer(options, { incoming, outgoing, requestId });
      if (refusal !== undefined) refuse(refusal);
    } catch (error) {
      options.log.error('the gateway failed', { reason: String(error) });
      if (outgoing.headersSent) outgoing.destroy();
      else refuse('INTEGRATION_FAILURE');
    }
  };
