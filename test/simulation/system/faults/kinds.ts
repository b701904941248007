/** The faults that can occur at an effect of a function. */

/** Faults of the function or its request. */
export const STRIKE_KINDS = [
  'dies before',
  'dies after',
  'reply lost',
  'throttled',
  'delivered twice',
  'out of memory',
  'times out',
  'arrives late',
  'arrives minutes late',
  'outlives its caller',
  'invoked twice',
  'execution aborted',
  'AWS refuses',
] as const;

/** The function continues, and something else happens at the same time. */
export const HAPPENING_KINDS = [
  'sweep',
  'events twice',
  'events late',
  'events lost',
  'stale describes',
  'stale for minutes',
  'outdated describes',
  'no capacity',
  'quota reached',
  'AWS fails',
  'table throttled',
  'table fails',
  'Step Functions fails',
  'no concurrency',
  'second execution',
  'API hangs',
  'worker instance dies',
  'worker instance reclaimed',
  'worker instance retires',
  'cluster deleted',
  'everything deleted',
  'cluster paused',
  'workers scaled',
  'worker deleted',
  'drain held',
  'copies deleted',
  'held copies deleted',
  'copied groups deleted',
  'copied class deleted',
  'whole cluster copied',
  'table restored',
  'hostile editor',
] as const;

/** A new version is deployed; only possible if there is a former one. */
export const DEPLOYMENT = 'deployment';

/** Only a control plane with at least three machines survives this. */
export const OF_THREE = 'control plane instance dies';

export type StrikeKind = (typeof STRIKE_KINDS)[number];

export type HappeningKind = (typeof HAPPENING_KINDS)[number] | typeof DEPLOYMENT | typeof OF_THREE;

export const FAULT_KINDS = [...STRIKE_KINDS, ...HAPPENING_KINDS] as const;

export type FaultKind = StrikeKind | HappeningKind;

export const isFaultKind = (text: string): text is FaultKind => [...FAULT_KINDS, DEPLOYMENT, OF_THREE].includes(text);

export const isStrike = (kind: FaultKind): kind is StrikeKind => STRIKE_KINDS.includes(kind as StrikeKind);

export interface Fault {
  /** The number of the effect, from 1; or the end of its name, which selects the first such effect. */
  readonly effect: number | string;
  readonly kind: FaultKind;
}
