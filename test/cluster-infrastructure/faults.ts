/** Kills a run at its k-th effect. */

export class KilledError extends Error {
  override readonly name = 'Killed';
}

export interface Executioner {
  /** The number of effects so far. */
  readonly count: number;
  /** Counts the calls of a port that `isEffect` selects, and makes all calls fail from the chosen effect on. */
  guard<T extends object>(port: T, isEffect: (method: string) => boolean): T;
}

/**
 * `at`: the number of the effect, from 1. `when`: whether the effect still happens. A killed run makes no more calls of
 * any kind, as a function whose process has ended.
 */
export const makeExecutioner = (at: number, when: 'before' | 'after'): Executioner => {
  const state = { count: 0, isDead: false };
  const kill = (): never => {
    state.isDead = true;
    throw new KilledError(`killed ${when} effect ${at}`);
  };
  const call = async (run: () => unknown, isEffect: boolean) => {
    if (state.isDead) kill();
    if (!isEffect) return run();
    state.count += 1;
    const isTheOne = state.count === at;
    if (isTheOne && when === 'before') kill();
    const result = await run();
    if (isTheOne) kill();
    return result;
  };
  return {
    get count() {
      return state.count;
    },
    guard: (port, isEffect) =>
      new Proxy(port, {
        get: (target, method, receiver) => {
          const value = Reflect.get(target, method, receiver);
          if (typeof value !== 'function' || typeof method !== 'string') return value;
          return (...parameters: unknown[]) => call(() => value.apply(target, parameters), isEffect(method));
        },
      }),
  };
};

export const isAwsWrite = (method: string): boolean => !/^(describe|observe)/.test(method);
export const isObjectWrite = (method: string): boolean => ['mutate', 'ensure', 'delete'].includes(method);
export const isRecordWrite = (method: string): boolean => ['write', 'end'].includes(method);
