/** The boundary of the functions, through which their requests and their output pass. */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { FUNCTION_HEADER } from '../../../infra/local/engines/wire/call.ts';
import { requestOf } from './faults/effects.ts';
import type { Sending } from './faults/strikes.ts';
import { type Invocation, invocations } from './invocations.ts';

export interface Edge {
  /** Called when a live function sends a request. */
  sends(sending: Sending): void;
  prints(invocation: Invocation, text: string): void;
}

/** The observer of the current run. */
let edge: Edge | undefined;

export const watchEdge = (next: Edge): void => {
  edge = next;
};

type Body = string | Uint8Array | undefined;

/** On AWS, the role identifies the calling function. Here, all functions share the credentials of one process. */
const nameCaller = (request: ClientRequest, { process }: Invocation): void => {
  if (request.getHeader('authorization')?.toString().startsWith('AWS4-'))
    request.setHeader(FUNCTION_HEADER, process.name);
};

/** The requests of one moment, collected until the process is quiet. */
let gathered: Sending[] = [];
let later: (act: () => void) => void = () => {};

/**
 * Requests are ordered by their content, because their order of arrival depends on which modules a function has loaded.
 */
const rankOf = ({ invocation, what, body }: Sending): string =>
  [invocation.number, what.name, Buffer.from(body).toString()].join(' ');

const byRank = (a: Sending, b: Sending): number => {
  const [left, right] = [rankOf(a), rankOf(b)];
  return left < right ? -1 : Number(left > right);
};

const release = (): void => {
  const sendings = gathered.sort(byRank);
  gathered = [];
  for (const sending of sendings) if (sending.invocation.process.isAlive) edge?.sends(sending);
};

const gather = (sending: Sending): void => {
  if (gathered.length === 0) later(release);
  gathered.push(sending);
};

const guard = (message: unknown): void => {
  const { request } = message as { request: ClientRequest };
  const invocation = invocations.getStore();
  if (invocation === undefined || edge === undefined) return;
  nameCaller(request, invocation);
  const end = request.end.bind(request) as (body?: Body) => ClientRequest;
  const flush = request.flushHeaders.bind(request);
  let written: Body;
  // Functions send each request in one piece, so nothing is sent before its end.
  request.write = ((chunk: Body) => {
    written = chunk;
    return true;
  }) as ClientRequest['write'];
  request.flushHeaders = () => {
    if (invocation.process.isAlive) flush();
  };
  request.end = ((last: Body | (() => void)) => {
    const body = typeof last === 'function' ? written : (last ?? written);
    if (!invocation.process.isAlive) return request;
    const what = requestOf(request, Buffer.from(body ?? '').toString());
    gather({ request, what, invocation, body: body ?? '', send: () => void end(body) });
    return request;
  }) as ClientRequest['end'];
};

/**
 * Must be called once in a process. `afterwards` runs a function at the same virtual time, when the process is quiet.
 */
export const openEdge = (afterwards: (act: () => void) => void): void => {
  later = afterwards;
  subscribe('http.client.request.created', guard);
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;
    stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      const invocation = invocations.getStore();
      if (invocation === undefined) return write(chunk, ...rest);
      if (invocation.process.isAlive) edge?.prints(invocation, Buffer.from(chunk).toString());
      return true;
    }) as typeof stream.write;
  }
};
