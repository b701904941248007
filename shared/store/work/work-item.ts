import type { WorkItem } from './work.ts';

/** A cluster's work in the form of the table; times are milliseconds since 1970. */
export interface StoredWork {
  pk: string;
  sk: string;
  namespace: string;
  name: string;
  uid: string;
  wanted?: number;
  done?: number;
  attempts?: number;
  unbegun?: number;
  holder?: string;
  leaseUntil?: number;
  dueShard?: string;
  dueAt?: number;
}

const dateOf = (milliseconds: number | undefined): Date | undefined =>
  milliseconds === undefined ? undefined : new Date(milliseconds);

export const toWorkItem = (stored: StoredWork): WorkItem => ({
  cluster: { namespace: stored.namespace, name: stored.name, uid: stored.uid },
  wanted: stored.wanted ?? 0,
  done: stored.done ?? 0,
  attempts: stored.attempts ?? 0,
  unbegun: stored.unbegun ?? 0,
  holder: stored.holder,
  leaseUntil: dateOf(stored.leaseUntil),
  dueAt: dateOf(stored.dueAt),
});

/**
 * True while a pass holds the lease. At the exact millisecond of its end the lease is free, as in the condition of
 * `begin`.
 */
export const isLeased = ({ holder, leaseUntil }: Pick<StoredWork, 'holder' | 'leaseUntil'>, now: Date): boolean =>
  holder !== undefined && leaseUntil !== undefined && leaseUntil > now.getTime();
