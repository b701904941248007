/** The fault injector of a lifecycle: forwards the functions' requests, and injects the planned faults. */
import { crc32 } from 'node:zlib';
import { AwsFault } from '../../../../infra/local/engines/wire/fault.ts';
import { type Invocation, purposeOf } from '../invocations.ts';
import { type Fault, type HappeningKind, isStrike, type StrikeKind } from './kinds.ts';
import type { Refusal } from './refusal-codes.ts';
import { type Sending, STRIKES, type StrikeTools } from './strikes.ts';

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
  /** How the request with this name (`Request.name`) is refused now; undefined if it is not. */
  refusalOf(name: string): Refusal | undefined;
  /** The effects so far, by function and purpose. */
  readonly effects: readonly string[];
  /** The faults that occurred, as `<kind> at <effect>`. */
  readonly struck: readonly string[];
  /** The faults that had nothing to do when their effect was reached, in the same form. */
  readonly idle: readonly string[];
  /** The effect of a fault was reached, even if the fault had nothing to do. */
  hasMet(): boolean;
  /** A fault still delays or refuses something, or a function that had one is still running. */
  isBusy(): boolean;
}

export interface AdversaryOptions extends Omit<StrikeTools, 'refuse' | 'mute' | 'pick'> {
  faults: readonly Fault[];
  /** Returns faults that are only determined when the effect with this number is reached. */
  faultsAt(effect: number): readonly Fault[];
  /** Determines what exactly some faults do. */
  seed: number;
  /** In milliseconds. */
  now(): number;
  /** Injects a fault that does not affect the function itself. `onIdle` is called if there was nothing to do. */
  happen(kind: HappeningKind, onIdle: () => void): void;
  isRunning(invocation: Invocation): boolean;
  /** Called with each fault, as a line of the transcript. */
  tell(text: string): void;
}

interface ActiveRefusal extends Refusal {
  /** The name of the requests. */
  name: string;
  /** In milliseconds. */
  until: number;
}

const serviceOf = (name: string): string => name.split(':')[0] ?? '';

/** The operations that AWS, or an API server, refuses at present. */
const makeRefusals = (now: () => number) => {
  let active: readonly ActiveRefusal[] = [];
  const current = (): readonly ActiveRefusal[] => active.filter(({ until }) => now() < until);
  return {
    refuse: (name: string, refusal: Refusal): void => {
      active = [...current(), { ...refusal, name, until: now() + refusal.milliseconds }];
    },
    refusalOf: (name: string): Refusal | undefined =>
      current().find((one) => one.name === name || (one.isOfService && serviceOf(one.name) === serviceOf(name))),
    isActive: (): boolean => current().length > 0,
  };
};

export const makeAdversary = (options: AdversaryOptions): Adversary => {
  const { faults, faultsAt, seed, now, happen, isRunning, tell, ...tools } = options;
  const effects: string[] = [];
  const struck: string[] = [];
  const idle: string[] = [];
  const waiting = new Set(faults);
  const muted = new WeakSet<Invocation>();
  const refusals = makeRefusals(now);
  let delayed = 0;
  const victims: Invocation[] = [];
  const given: Omit<StrikeTools, 'pick'> = {
    ...tools,
    later: (milliseconds, act) => {
      delayed += 1;
      tools.later(milliseconds, () => {
        delayed -= 1;
        act();
      });
    },
    mute: (invocation) => void muted.add(invocation),
    refuse: refusals.refuse,
  };
  const hadNothingToDo = (fault: string): void => {
    idle.push(fault);
    tell(`FAULT ${fault} (nothing to do)`);
  };
  const strike = (kind: StrikeKind, label: string, sending: Sending): void => {
    const pick = <Item>(items: readonly Item[]): Item | undefined => items[crc32(`${seed} ${label}`) % items.length];
    const done = STRIKES[kind](sending, { ...given, pick });
    const fault = `${kind}${typeof done === 'string' ? `, ${done},` : ''} at ${label}`;
    if (done === false) {
      hadNothingToDo(fault);
      return;
    }
    struck.push(fault);
    tell(`FAULT ${fault}`);
  };
  const begin = (kind: HappeningKind, label: string): void => {
    const fault = `${kind} at ${label}`;
    struck.push(fault);
    tell(`FAULT ${fault}`);
    happen(kind, () => {
      struck.splice(struck.indexOf(fault), 1);
      hadNothingToDo(fault);
    });
  };
  /** Begins the happenings of an effect. Returns the fault of the request itself; undefined if it has none. */
  const strikeOf = (label: string, invocation: Invocation): StrikeKind | undefined => {
    let found: StrikeKind | undefined;
    for (const fault of [...waiting].filter((one) => isMeant(one, effects.length, label))) {
      const { kind } = fault;
      // A function has one fault at a time. Others wait for the next matching effect.
      if (isStrike(kind) && found !== undefined) continue;
      waiting.delete(fault);
      victims.push(invocation);
      if (isStrike(kind)) found = kind;
      else begin(kind, label);
    }
    return found;
  };
  return {
    effects,
    struck,
    idle,
    hasMet: () => struck.length + idle.length > 0,
    isBusy: () => delayed > 0 || refusals.isActive() || victims.some(isRunning),
    refusalOf: refusals.refusalOf,
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
      else strike(kind, label, sending);
    },
    admit: ({ service, operation }) => {
      const refusal = refusals.refusalOf(`${service}:${operation}`);
      if (refusal) throw new AwsFault(refusal.code, refusal.message, refusal.status);
    },
  };
};
