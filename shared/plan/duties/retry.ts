/**
 * When a pass repeats a failed operation if the objects of the cluster do not change. `never`: only a change of them
 * helps. `hourly`: only a change elsewhere helps, such as in the account, which nothing reports. `soon`: the next sweep
 * requests it.
 */
export type Retry = 'never' | 'hourly' | 'soon';

const ORDER: readonly Retry[] = ['soon', 'hourly', 'never'];

/** The earlier of two retries. */
export const soonest = (a: Retry, b: Retry = 'never'): Retry => (ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b);
