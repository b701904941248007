/** One deployed stage of a REST API: routes, authorizes, calls the function, streams its answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../../shared/clock.ts';
import type { Log } from '../../../../shared/log.ts';
import type { Random } from '../../../../shared/random.ts';
import { FunctionError } from '../lambda/failure.ts';
import type { ChunkReader } from '../lambda/pending.ts';
import type { Authorize, Verdict } from './authorize.ts';
import type { Refuse } from './refusals.ts';
import { type Arrival, proxyEvent } from './request.ts';
import type { makeRouter, Route } from './routes.ts';
import { makeStreamedResponse } from './streamed-response.ts';

/** API Gateway's limit for a request body, in bytes. */
const BODY_LIMIT = 10 * 1024 * 1024;

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

/** The body, or undefined when it is larger than API Gateway takes. */
const readBody = async (incoming: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length;
    if (size > BODY_LIMIT) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
};

const authorize = async (options: GatewayOptions, { method }: Route, arrival: Arrival): Promise<Verdict> => {
  if (method.authorizerId === undefined) return { caller: undefined };
  const ask = options.authorizers.get(method.authorizerId);
  if (ask === undefined) return { refusal: 'AUTHORIZER_FAILURE' };
  const { partition, region, accountId, apiId, stage } = options;
  const api = `arn:${partition}:execute-api:${region}:${accountId}:${apiId}/${stage}`;
  return ask(arrival.incoming.headers, `${api}/${arrival.method}${arrival.path}`);
};

interface CallContext {
  requestId: string;
  authorizer: Readonly<Record<string, unknown>> | undefined;
  gone: AbortSignal;
}

const call = async (
  options: GatewayOptions,
  { method, resourcePath, pathParameters }: Route,
  arrival: Arrival,
  context: CallContext,
): Promise<Response> => {
  const { refuse, log, clock, stream } = options;
  const { path } = arrival;
  const place = { resourceId: method.resourceId, resourcePath, pathParameters, at: clock.now() };
  const event = proxyEvent(arrival, { ...options, ...context, ...place });
  const streamed = makeStreamedResponse();
  stream(method.functionArn, event, streamed.reader, context.gone).then(streamed.ended, streamed.failed);
  try {
    const response = await streamed.response;
    if (response !== undefined) return response;
    log.error('a function ended its stream without writing anything', { path });
    return refuse('INTEGRATION_FAILURE', context.requestId);
  } catch (error) {
    const { name, message } = error as Error;
    log.error('a function failed to answer', { path, error: name, reason: message });
    const timedOut = error instanceof FunctionError && name === 'Sandbox.Timedout';
    return refuse(timedOut ? 'INTEGRATION_TIMEOUT' : 'INTEGRATION_FAILURE', context.requestId);
  }
};

const answer = async (
  options: GatewayOptions,
  incoming: IncomingMessage,
  gone: AbortSignal,
  requestId: string,
): Promise<Response> => {
  const { stage, route, refuse } = options;
  const url = new URL(incoming.url ?? '/', 'https://laptop');
  const [, first, ...rest] = url.pathname.split('/');
  const path = `/${rest.join('/')}`;
  const method = incoming.method ?? 'GET';
  const found = first === stage ? route(method, path) : undefined;
  if (found === undefined) return refuse('MISSING_AUTHENTICATION_TOKEN', requestId);
  const body = await readBody(incoming);
  if (body === undefined) return refuse('REQUEST_TOO_LARGE', requestId);
  const arrival: Arrival = { method, path, query: url.searchParams, incoming, body };
  const verdict = await authorize(options, found, arrival);
  if ('refusal' in verdict) return refuse(verdict.refusal, requestId);
  return call(options, found, arrival, { requestId, authorizer: verdict.caller, gone });
};

/** Answers requests as the stage would. Never rejects. */
export const makeGateway =
  (options: GatewayOptions) =>
  async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<Response> => {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    const requestId = options.random.uuid();
    try {
      const response = await answer(options, incoming, gone.signal, requestId);
      response.headers.set('x-amzn-requestid', requestId);
      return response;
    } catch (error) {
      options.log.error('the gateway failed', { reason: String(error) });
      return options.refuse('INTEGRATION_FAILURE', requestId);
    }
  };
