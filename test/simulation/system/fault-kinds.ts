/** What can go wrong at an effect of a function. */

/** The function, or its request, is struck. */
export const STRIKE_KINDS = [
  'dies before',
  'dies after',
  'reply lost',
  'throttled',
  'delivered twice',
  'out of memory',
  'times out',
  'arrives late',
  'outlives its caller',
  'invoked twice',
  'execution aborted',
] as const;

/** The function goes on, and something happens elsewhere at the same moment. */
export const HAPPENING_KINDS = [
  'sweep',
  'events twice',
  'events late',
  'events lost',
  'stale describes',
  'no capacity',
  'quota reached',
  'AWS fails',
  'worker instance dies',
  'cluster deleted',
  'cluster paused',
  'workers scaled',
  'worker deleted',
] as const;

export type StrikeKind = (typeof STRIKE_KINDS)[number];

export type HappeningKind = (typeof HAPPENING_KINDS)[number];

export const FAULT_KINDS = [...STRIKE_KINDS, ...HAPPENING_KINDS] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export const isFaultKind = (text: string): text is FaultKind => FAULT_KINDS.includes(text as FaultKind);

export const isStrike = (kind: FaultKind): kind is StrikeKind => STRIKE_KINDS.includes(kind as StrikeKind);

export interface Fault {
  /** The number of the effect, from 1 on; or how its name ends, which means the first such effect. */
  readonly effect: number | string;
  readonly kind: FaultKind;
}
