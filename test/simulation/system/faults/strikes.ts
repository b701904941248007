/** Faults that the network, Lambda and Step Functions cause in a function at one of its effects. */
import { type ClientRequest, request as httpRequest } from 'node:http';
import { type Invocation, invocations } from '../invocations.ts';
import type { Request } from './effects.ts';
import type { StrikeKind } from './kinds.ts';

export interface Sending {
  request: ClientRequest;
  what: Request;
  invocation: Invocation;
  body: string | Uint8Array;
  /** Sends the request unchanged. */
  send(): void;
}

export interface StrikeTools {
  /** Runs `act` after this many milliseconds. */
  later(milliseconds: number, act: () => void): void;
  /** Makes AWS throttle an operation for some time. */
  throttle(name: string): void;
  /** Prevents all further requests of the invocation. */
  mute(invocation: Invocation): void;
  /** Ends the execution that has invoked the function. */
  abortCaller(invocation: Invocation): void;
}

const DEATH = 'Runtime.ExitError';
const OUT_OF_MEMORY = 'Runtime.OutOfMemory';
const TIMED_OUT = 'Sandbox.Timedout';

/** Long enough for the next invocation to be in the middle of its work. */
const LATE_MILLISECONDS = 20_000;

const connectionReset = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** The response does not reach the function, although the effect remains. */
const loseAnswer = (request: ClientRequest): void => {
  const emit = request.emit.bind(request);
  request.emit = ((name: string, ...values: unknown[]) => {
    if (name !== 'response') return emit(name, ...values);
    request.destroy(connectionReset());
    return true;
  }) as ClientRequest['emit'];
};

/** Sends the same bytes without waiting for the response. */
const sendBytes = ({ request, body }: Sending): void =>
  invocations.exit(() => {
    const { hostname: host, port } = new URL(`http://${request.getHeader('host')}`);
    const headers = request.getHeaders();
    httpRequest({ host, port, method: request.method, path: request.path, headers }).end(body);
  });

type Strike = (sending: Sending, tools: StrikeTools) => void;

export const STRIKES: Readonly<Record<StrikeKind, Strike>> = {
  'dies before': ({ invocation }) => invocation.die(DEATH),
  'out of memory': ({ invocation }) => invocation.die(OUT_OF_MEMORY),
  'dies after': ({ request, invocation, send }) => {
    request.prependOnceListener('response', () => invocation.die(DEATH));
    send();
  },
  'reply lost': ({ request, send }) => {
    loseAnswer(request);
    send();
  },
  throttled: ({ what, send }, { throttle }) => {
    throttle(what.name);
    send();
  },
  // Connections to API servers are stateful, so their requests are not repeated.
  'delivered twice': (sending) => {
    if (sending.what.isAws) sendBytes(sending);
    sending.send();
  },
  'times out': ({ invocation, send }, { mute }) => {
    send();
    mute(invocation);
  },
  'arrives late': (sending, { later }) => {
    sending.invocation.die(DEATH);
    if (sending.what.isAws) later(LATE_MILLISECONDS, () => sendBytes(sending));
  },
  'outlives its caller': ({ invocation, send }, { later }) => {
    invocation.disown(TIMED_OUT);
    later(LATE_MILLISECONDS, () => invocation.process.isAlive && send());
  },
  'invoked twice': ({ invocation, send }) => {
    invocation.repeat();
    send();
  },
  'execution aborted': ({ invocation, send }, { abortCaller }) => {
    abortCaller(invocation);
    send();
  },
};
