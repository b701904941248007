import type { Call } from './call.ts';
import { AwsFault } from './fault.ts';

/** A fault for the next calls. */
export interface InjectedFault {
  /** AWS's code, for example `InsufficientInstanceCapacity`. */
  code: string;
  message?: string;
  /** The HTTP status; 400 if omitted. The SDK itself retries 500, 502, 503 and 504. */
  status?: number;
  /** The number of calls with this fault; 1 if omitted. */
  times?: number;
  /**
   * `before`, the default: nothing happens. `after`: the call takes effect and its response is lost, as with a timeout.
   */
  when?: 'before' | 'after';
}

export interface Injection {
  /** `service` is the signing name; `operation` may be `*`. Faults of one operation apply in the order of injection. */
  failNext(service: string, operation: string, fault: InjectedFault): void;
  /** Throws the fault that is due for a call at that moment, if any. */
  check(call: Pick<Call, 'service' | 'operation'>, when: 'before' | 'after'): void;
  /** Faults that were injected and not met yet, as `service:operation code`. */
  pending(): string[];
  clear(): void;
}

interface Waiting extends Required<InjectedFault> {
  readonly service: string;
  readonly operation: string;
}

/** Faults on order, for tests and for trying how a program behaves when AWS does not. */
export const makeInjection = (): Injection => {
  let waiting: Waiting[] = [];
  return {
    failNext: (service, operation, { code, message = 'injected', status = 400, times = 1, when = 'before' }) => {
      waiting.push({ service, operation, code, message, status, times, when });
    },
    check: ({ service, operation }, when) => {
      const due = waiting.find(
        (fault) =>
          fault.service === service &&
          fault.when === when &&
          (fault.operation === operation || fault.operation === '*'),
      );
      if (!due) return;
      due.times -= 1;
      waiting = waiting.filter(({ times }) => times > 0);
      throw new AwsFault(due.code, due.message, due.status);
    },
    pending: () => waiting.map(({ service, operation, code }) => `${service}:${operation} ${code}`),
    clear: () => {
      waiting = [];
    },
  };
};
