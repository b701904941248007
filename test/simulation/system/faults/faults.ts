/** The fault injector of a lifecycle: forwards the functions' requests, and injects the planned faults. */
import { AwsFault } from '../../../../infra/local/engines/wire/fault.ts';
import { type Invocation, purposeOf } from '../invocations.ts';
import { type Fault, type HappeningKind, isStrike, type StrikeKind } from './kinds.ts';
import { type Sending, STRIKES, type StrikeTools } from './strikes.ts';

/** How long an operation is throttled: longer than the SDK retries, but shorter than the workflows do. */
const THROTTLED_MILLISECONDS = 3_000;

/** The error codes for throttling by service. */
const THROTTLING: Readonly<Record<string, string>> = {
  ec2: 'RequestLimitExceeded',
  elasticloadbalancing: 'Throttling',
};

const isMeant = ({ effect }: Fault, number: number, label: string): boolean =>
  typeof effect === 'number' ? effect === number : label.endsWith(effect);

export interface Call {
  service: string;
  operation: string;
}

export interface Adversary {
  /** Sends a function's request, or injects the planned fault. */
  carry(sending: Sending): void;
  /** Throws if AWS refuses the call. */
  admit(call: Call): void;
  /** The effects so far, by function and purpose. */
  readonly effects: readonly string[];
  /** The faults that occurred, as `<kind> at <effect>`. */
  readonly struck: readonly string[];
  /** Faults have occurred, and they no longer delay or refuse anything. */
  isOver(): boolean;
}

export interface AdversaryOptions extends Omit<StrikeTools, 'throttle' | 'mute'> {
  faults: readonly Fault[];
  /** Returns faults that are only determined when the effect with this number is reached. */
  faultsAt(effect: number): readonly Fault[];
  /** In milliseconds. */
  now(): number;
  /** Injects a fault that does not affect the function itself. */
  happen(kind: HappeningKind): void;
  isRunning(invocation: Invocation): boolean;
}

export const makeAdversary = (options: AdversaryOptions): Adversary => {
  const { faults, faultsAt, now, happen, isRunning, ...tools } = options;
  const effects: string[] = [];
  const struck: string[] = [];
  const waiting = new Set(faults);
  const muted = new WeakSet<Invocation>();
  let refused = { name: '', until: 0 };
  let delayed = 0;
  const victims: Invocation[] = [];
  const given: StrikeTools = {
    ...tools,
    later: (milliseconds, act) => {
      delayed += 1;
      tools.later(milliseconds, () => {
        delayed -= 1;
        act();
      });
    },
    mute: (invocation) => void muted.add(invocation),
    throttle: (name) => {
      refused = { name, until: now() + THROTTLED_MILLISECONDS };
    },
  };
  /** The fault of the request itself; undefined if it has none. */
  const strikeOf = (label: string, invocation: Invocation): StrikeKind | undefined => {
    let found: StrikeKind | undefined;
    for (const fault of [...waiting].filter((one) => isMeant(one, effects.length, label))) {
      const { kind } = fault;
      // A function has one fault at a time. Others wait for the next matching effect.
      if (isStrike(kind) && found !== undefined) continue;
      waiting.delete(fault);
      struck.push(`${kind} at ${label}`);
      victims.push(invocation);
      if (isStrike(kind)) found = kind;
      else happen(kind);
    }
    return found;
  };
  return {
    effects,
    struck,
    isOver: () => struck.length > 0 && delayed === 0 && now() >= refused.until && !victims.some(isRunning),
    carry: (sending) => {
      const { what, send, invocation } = sending;
      if (muted.has(invocation)) return;
      if (!what.isEffect) {
        send();
        return;
      }
      const label = `${invocation.process.name} ${purposeOf(invocation)} ${what.name}`;
      effects.push(label);
      for (const fault of faultsAt(effects.length)) waiting.add(fault);
      const kind = strikeOf(label, invocation);
      if (kind === undefined) send();
      else STRIKES[kind](sending, given);
    },
    admit: ({ service, operation }) => {
      if (`${service}:${operation}` !== refused.name || now() >= refused.until) return;
      throw new AwsFault(THROTTLING[service] ?? 'ThrottlingException', 'Rate exceeded', service === 'ec2' ? 503 : 400);
    },
  };
};
