/** Faults that the network, Lambda and Step Functions cause in a function at one of its effects. */
import { type ClientRequest, request as httpRequest } from 'node:http';
import { type Agent, request as httpsRequest } from 'node:https';
import { type Invocation, invocations } from '../invocations.ts';
import type { Request } from './effects.ts';
import type { StrikeKind } from './kinds.ts';
import { type Refusal, refusalsOf, throttlingOf } from './refusal-codes.ts';

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
  /** Makes AWS, or the API server of the workload cluster, refuse requests with this name for some time. */
  refuse(name: string, refusal: Refusal): void;
  /** Selects one of several possibilities; the result is determined by the seed and the effect. */
  pick<Item>(items: readonly Item[]): Item | undefined;
  /** Prevents all further requests of the invocation. */
  mute(invocation: Invocation): void;
  /** Ends the execution that has invoked the function. False if none has. */
  abortCaller(invocation: Invocation): boolean;
}

const DEATH = 'Runtime.ExitError';
const OUT_OF_MEMORY = 'Runtime.OutOfMemory';
const TIMED_OUT = 'Sandbox.Timedout';

/** Long enough for the next invocation to be in the middle of its work. */
const LATE_MILLISECONDS = 20_000;
/** AWS refuses requests that were signed five minutes ago. */
const MINUTES_LATE_MILLISECONDS = 240_000;

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
const sendBytes = ({ request, body, what }: Sending): void =>
  invocations.exit(() => {
    const { method, path } = request;
    const headers = request.getHeaders();
    if (what.isAws) {
      const { hostname: host, port } = new URL(`http://${request.getHeader('host')}`);
      httpRequest({ host, port, method, path, headers }).end(body);
      return;
    }
    const { agent } = request as ClientRequest & { agent: Agent };
    const copy = httpsRequest({ ...agent.options, method, path, headers, agent: false });
    // The server may be gone by now; then nothing arrives.
    copy.on('error', () => undefined);
    copy.on('response', (answer) => answer.resume());
    copy.end(body);
  });

const arriveAfter =
  (milliseconds: number): Strike =>
  (sending, { later }) => {
    sending.invocation.die(DEATH);
    later(milliseconds, () => sendBytes(sending));
    return true;
  };

/**
 * Returns whether the fault did something, or what exactly it did. If it had nothing to do, the request is sent
 * unchanged.
 */
type Strike = (sending: Sending, tools: StrikeTools) => boolean | string;

export const STRIKES: Readonly<Record<StrikeKind, Strike>> = {
  'dies before': ({ invocation }) => {
    invocation.die(DEATH);
    return true;
  },
  'out of memory': ({ invocation }) => {
    invocation.die(OUT_OF_MEMORY);
    return true;
  },
  'dies after': ({ request, invocation, send }) => {
    request.prependOnceListener('response', () => invocation.die(DEATH));
    send();
    return true;
  },
  'reply lost': ({ request, send }) => {
    loseAnswer(request);
    send();
    return true;
  },
  throttled: ({ what, send }, { refuse }) => {
    refuse(what.name, throttlingOf(what.name));
    send();
    return true;
  },
  'AWS refuses': ({ what, send }, { refuse, pick }) => {
    const refusal = pick(refusalsOf(what.name));
    if (refusal) refuse(what.name, refusal);
    send();
    return refusal?.code ?? false;
  },
  'delivered twice': (sending) => {
    sendBytes(sending);
    sending.send();
    return true;
  },
  'times out': ({ invocation, send }, { mute }) => {
    send();
    mute(invocation);
    return true;
  },
  'arrives late': arriveAfter(LATE_MILLISECONDS),
  'arrives minutes late': arriveAfter(MINUTES_LATE_MILLISECONDS),
  'outlives its caller': ({ invocation, send }, { later }) => {
    invocation.disown(TIMED_OUT);
    later(LATE_MILLISECONDS, () => invocation.process.isAlive && send());
    return true;
  },
  'invoked twice': ({ invocation, send }) => {
    invocation.repeat();
    send();
    return true;
  },
  'execution aborted': ({ invocation, send }, { abortCaller }) => {
    const isAborted = abortCaller(invocation);
    send();
    return isAborted;
  },
};
