/**
 * What keeps one tenant's object from stopping the others: work that goes over the objects of many clusters runs behind
 * bulkheads, one for each item. What an item's own objects make code throw stays on its cluster; what an account or the
 * table answers is a fault that concerns all, and is thrown in the end.
 */
import { awsCodeOf, isDenied, isNotFound, isRefusal, isServerFault, isThrottling } from '../shared/aws/errors.ts';
import type { Cluster, Machine } from '../shared/kinds/index.ts';
import type { KubeObject } from '../shared/kube-api/object.ts';
import type { Log } from '../shared/log.ts';
import { placeOf, safeReason } from '../shared/safe-reason.ts';
import { mapIsolated } from '../shared/store/concurrency.ts';

/** An item of such work: the cluster that it belongs to, and the objects that it is about. */
export interface Placed {
  cluster: Cluster;
  machine?: Machine;
  /** Of the machine; if there is none, of the cluster. */
  infrastructure?: KubeObject;
}

/** What could not be done for a cluster, and because of which objects. */
export interface Trouble {
  cluster: Cluster;
  /** `Machine default/red-1 (AWSMachine red-1): compare its instance: SyntaxError`. */
  message: string;
}

export interface Bulkheads {
  readonly troubles: readonly Trouble[];
  /** What accounts, regions or the table answered. The caller throws one of them when all else is done. */
  readonly faults: unknown[];
  /**
   * Runs `work` on every item, ten at a time unless `atOnce` says otherwise; failed items have no result. `doing`
   * describes the work, such as `compare its network`.
   */
  each<T extends Placed, R>(
    doing: string,
    items: readonly T[],
    work: (item: T) => R | Promise<R>,
    atOnce?: number,
  ): Promise<R[]>;
  /** Classifies an error that was thrown for an item. */
  note(doing: string, item: Placed, error: unknown): void;
}

const CONCURRENCY = 10;

const OWN_FAULTS: ReadonlySet<string> = new Set(['Throttled', 'Transient', 'Conflict']);

/** Codes that begin like refusals of a value, but concern the caller's permissions or the account. */
const isOfTheAccount = (error: unknown): boolean =>
  isDenied(error) || /^(Unauthorized|AuthFailure|OptInRequired|ExpiredToken)/.test(awsCodeOf(error) ?? '');

/** Whether an error is about the account, the network or the table, and not about the objects being processed. */
const isFault = (error: unknown): boolean => {
  if (isServerFault(error) || isThrottling(error)) return true;
  // What a cluster names may be wrong or absent without the account being at fault.
  if (awsCodeOf(error) !== undefined) return isOfTheAccount(error) || !(isRefusal(error) || isNotFound(error));
  return error instanceof Error && OWN_FAULTS.has(error.name);
};

const named = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

const subjectOf = ({ cluster, machine, infrastructure }: Placed): string => {
  const own = named(machine ?? cluster);
  return infrastructure ? `${own} (${named(infrastructure)})` : own;
};

/** Bulkheads for one run of a function. */
export const makeBulkheads = (log: Log): Bulkheads => {
  const troubles: Trouble[] = [];
  const faults: unknown[] = [];
  const note = (doing: string, item: Placed, error: unknown): void => {
    const { namespace, name } = item.cluster.metadata;
    const reason = safeReason(error);
    const message = `${subjectOf(item)}: ${doing}: ${reason}`;
    if (isFault(error)) faults.push(error);
    else troubles.push({ cluster: item.cluster, message });
    log.error('a cluster was skipped', { namespace, name, reason: message, at: placeOf(error) });
  };
  return {
    troubles,
    faults,
    note,
    each: (doing, items, work, atOnce = CONCURRENCY) =>
      mapIsolated(items, atOnce, work, (item, error) => note(doing, item, error)),
  };
};
