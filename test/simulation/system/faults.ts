/** Single faults: what can happen to a function at one of its effects. */
import { type ClientRequest, request as httpRequest } from 'node:http';
import { AwsFault } from '../../../infra/local/engines/wire/fault.ts';
import type { Request } from './effects.ts';
import { type Invocation, invocations, purposeOf } from './invocations.ts';

export const FAULT_KINDS = ['dies before', 'dies after', 'reply lost', 'throttled', 'delivered twice'] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  /** The number of the effect, from 1 on; or how its name ends, which means the first such effect. */
  readonly effect: number | string;
  readonly kind: FaultKind;
}

/** How long an operation is refused: longer than the SDK tries again, shorter than the workflows do. */
const THROTTLED_MILLISECONDS = 3_000;

const DEATH = 'Runtime.ExitError';

/** What the code for too many calls is at each service. */
const THROTTLING: Readonly<Record<string, string>> = {
  ec2: 'RequestLimitExceeded',
  elasticloadbalancing: 'Throttling',
};

const connectionReset = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** The answer never reaches the function, although the effect stays. */
const loseAnswer = (request: ClientRequest): void => {
  const emit = request.emit.bind(request);
  request.emit = ((name: string, ...values: unknown[]) => {
    if (name !== 'response') return emit(name, ...values);
    request.destroy(connectionReset());
    return true;
  }) as ClientRequest['emit'];
};

/** The same bytes again, by the network: nobody waits for the answer. */
const sendAgain = (request: ClientRequest, body: string | Uint8Array): void =>
  invocations.exit(() => {
    const { host, port } = new URL(`http://${request.getHeader('host')}`);
    const headers = request.getHeaders();
    const [hostname] = host.split(':');
    const again = httpRequest({ hostname, port, method: request.method, path: request.path, headers, agent: false });
    again.on('response', (response) => response.resume());
    again.end(body);
  });

export interface Sending {
  request: ClientRequest;
  what: Request;
  invocation: Invocation;
  body: string | Uint8Array;
  /** Sends it as it is. */
  send(): void;
}

const isMeant = ({ effect }: Fault, number: number, label: string): boolean =>
  typeof effect === 'number' ? effect === number : label.endsWith(effect);

const strike = (kind: FaultKind, { request, invocation, what, body, send }: Sending): void => {
  if (kind === 'dies before') {
    invocation.die(DEATH);
    return;
  }
  if (kind === 'dies after') request.prependOnceListener('response', () => invocation.die(DEATH));
  if (kind === 'reply lost') loseAnswer(request);
  // A connection to an API server has state of its own: nothing repeats what was sent on it.
  if (kind === 'delivered twice' && what.isAws) sendAgain(request, body);
  send();
};

export interface Adversary {
  /** Sends what a function sends, or does to it what was planned. */
  carry(sending: Sending): void;
  /** Throws where AWS refuses the call. */
  admit(call: { service: string; operation: string }): void;
  /** The effects so far: which function did what for which purpose. */
  readonly effects: readonly string[];
  /** What was struck; undefined where the life ended before that. */
  readonly struck: string | undefined;
}

/** `now`: in milliseconds. */
export const makeAdversary = (fault: Fault | undefined, now: () => number): Adversary => {
  const effects: string[] = [];
  let struck: string | undefined;
  let refused = { name: '', until: 0 };
  return {
    effects,
    get struck() {
      return struck;
    },
    carry: (sending) => {
      const { what, send, invocation } = sending;
      const label = `${invocation.process.name} ${purposeOf(invocation)} ${what.name}`;
      if (what.isEffect) effects.push(label);
      const isNext = fault !== undefined && what.isEffect && struck === undefined;
      if (!isNext || !isMeant(fault, effects.length, label)) {
        send();
        return;
      }
      struck = label;
      if (fault.kind === 'throttled') refused = { name: what.name, until: now() + THROTTLED_MILLISECONDS };
      strike(fault.kind, sending);
    },
    admit: ({ service, operation }) => {
      if (`${service}:${operation}` !== refused.name || now() >= refused.until) return;
      throw new AwsFault(THROTTLING[service] ?? 'ThrottlingException', 'Rate exceeded', service === 'ec2' ? 503 : 400);
    },
  };
};
