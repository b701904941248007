/** Replaces all clocks and timers of a process with a scheduler. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { Due } from './event-queue.ts';
import type { Scheduler } from './scheduler.ts';

type Callback = (...values: unknown[]) => void;

const require = createRequire(import.meta.url);

/** Node's own timers last at least a millisecond. */
const LEAST_MILLISECONDS = 1;

/** Behaves like Node's own object, as far as libraries use it. */
class VirtualTimer {
  #due: Due | undefined;
  readonly #start: () => Due;

  constructor(start: () => Due) {
    this.#start = start;
    this.#due = start();
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  refresh(): this {
    this.close();
    this.#due = this.#start();
    return this;
  }
  close(): this {
    if (this.#due) this.#due.act = undefined;
    return this;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

const makeTimers = (scheduler: Scheduler, isAlive: () => boolean) => {
  const later = (milliseconds: unknown, act: () => void): Due =>
    scheduler.after(Math.max(LEAST_MILLISECONDS, Number(milliseconds) || 0), act);
  const setTimeout = (callback: Callback, milliseconds?: number, ...values: unknown[]): VirtualTimer => {
    const inContext = AsyncLocalStorage.snapshot();
    const act = () => inContext(() => (isAlive() ? callback(...values) : undefined));
    return new VirtualTimer(() => later(milliseconds, act));
  };
  const setInterval = (callback: Callback, milliseconds?: number, ...values: unknown[]): VirtualTimer => {
    const timer: VirtualTimer = setTimeout(() => {
      timer.refresh();
      callback(...values);
    }, milliseconds);
    return timer;
  };
  const clear = (timer: unknown): void => {
    if (timer instanceof VirtualTimer) timer.close();
  };
  return { setTimeout, setInterval, clearTimeout: clear, clearInterval: clear };
};

type Timers = ReturnType<typeof makeTimers>;

/** `setTimeout` of node:timers/promises. */
const makeDelay =
  ({ setTimeout }: Timers) =>
  <T>(milliseconds?: number, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const refuse = () =>
        reject(
          Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), {
            name: 'AbortError',
            code: 'ABORT_ERR',
          }),
        );
      if (signal?.aborted) return refuse();
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      }, milliseconds);
      const abort = () => {
        timer.close();
        refuse();
      };
      signal?.addEventListener('abort', abort, { once: true });
    });

const virtualDate = (scheduler: Scheduler): DateConstructor => {
  const Real = Date;
  return new Proxy(Real, {
    construct: (_, values, target) =>
      Reflect.construct(Real, values.length === 0 ? [scheduler.now()] : values, target) as object,
    apply: () => new Real(scheduler.now()).toString(),
    get: (_, key, receiver) => (key === 'now' ? scheduler.now : Reflect.get(Real, key, receiver)),
  });
};

/** Makes the timeouts of sockets use virtual time, because Node's own socket timers cannot be replaced. */
const patchSocketTimeouts = ({ setTimeout }: Timers): void => {
  const { Socket } = require('node:net') as typeof import('node:net');
  const waiting = new WeakMap<object, VirtualTimer>();
  Socket.prototype.setTimeout = function (milliseconds: number, callback?: () => void) {
    waiting.get(this)?.close();
    if (callback) this.off('timeout', callback);
    if (milliseconds > 0 && callback) this.once('timeout', callback);
    Object.assign(this, { timeout: milliseconds });
    if (milliseconds > 0)
      waiting.set(
        this,
        setTimeout(() => this.destroyed || this.emit('timeout'), milliseconds),
      );
    return this;
  };
};

/** `isAlive` returns whether the work of the current asynchronous context may continue. */
export const patchTime = (scheduler: Scheduler, isAlive: () => boolean): Timers => {
  const timers = makeTimers(scheduler, isAlive);
  const start = scheduler.now();
  const elapsed = (): number => scheduler.now() - start;
  Object.assign(globalThis, timers, { Date: virtualDate(scheduler) });
  Object.assign(require('node:timers'), timers);
  Object.assign(require('node:timers/promises'), { setTimeout: makeDelay(timers) });
  Object.defineProperty(performance, 'now', { value: elapsed, configurable: true });
  Object.defineProperty(performance, 'timeOrigin', { value: start, configurable: true });
  const hrtime = (since: [number, number] = [0, 0]): [number, number] => {
    const nanoseconds = BigInt(elapsed()) * 1_000_000n - (BigInt(since[0]) * 1_000_000_000n + BigInt(since[1]));
    return [Number(nanoseconds / 1_000_000_000n), Number(nanoseconds % 1_000_000_000n)];
  };
  process.hrtime = Object.assign(hrtime, { bigint: () => BigInt(elapsed()) * 1_000_000n });
  process.uptime = () => elapsed() / 1000;
  AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController();
    const reason = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    timers.setTimeout(() => controller.abort(reason()), milliseconds);
    return controller.signal;
  };
  patchSocketTimeouts(timers);
  syncBuiltinESMExports();
  return timers;
};
