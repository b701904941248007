/**
 * Keeps one tenant's object from stopping the work for others. Work on the objects of many clusters runs behind
 * bulkheads, one for each item. An error that an item's own objects cause is reported on its cluster only. An error of
 * an account or of the table concerns all clusters, and is thrown at the end.
 */
import { awsCodeOf, isDenied, isNotFound, isRefusal, isServerFault, isThrottling } from '../shared/aws/errors.ts';
import type { Cluster, Machine } from '../shared/kinds/index.ts';
import type { KubeObject } from '../shared/kube-api/object.ts';
import type { Log } from '../shared/log.ts';
import { placeOf, safeReason } from '../shared/safe-reason.ts';
import { mapIsolated } from '../shared/store/concurrency.ts';

/** One item of such work: the objects that it is about, and the cluster to which they belong. */
export interface Placed {
  cluster: Cluster;
  machine?: Machine;
  /** The infrastructure of the machine; without a machine, that of the cluster. */
  infrastructure?: KubeObject;
}

/** What could not be done for a cluster, and the objects that are the cause. */
export interface Trouble {
  cluster: Cluster;
  /** `Machine default/red-1 (AWSMachine red-1): compare its instance: SyntaxError`. */
  message: string;
}

export interface Bulkheads {
  readonly troubles: readonly Trouble[];
  /** Errors of accounts, regions or the table. The caller throws one of them after everything else is done. */
  readonly faults: unknown[];
  /**
   * Runs `work` on every item, ten at a time unless `atOnce` says otherwise. An item that fails has no result. `doing`
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

/** Error codes that look like the refusal of a value, but concern the caller's permissions or the account. */
const isOfTheAccount = (error: unknown): boolean =>
  isDenied(error) ||
  /^(Unauthorized|AuthFailure|OptInRequired|ExpiredToken|RequestExpired)/.test(awsCodeOf(error) ?? '');

/** Whether an error is about the account, the network or the table, and not about the objects being processed. */
const isFault = (error: unknown): boolean => {
  if (isServerFault(error) || isThrottling(error)) return true;
  // A cluster may name resources that are invalid or do not exist; that is no fault of the account.
  if (awsCodeOf(error) !== undefined) return isOfTheAccount(error) || !(isRefusal(error) || isNotFound(error));
  return error instanceof Error && OWN_FAULTS.has(error.name);
};

const named = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

const subjectOf = ({ cluster, machine, infrastructure }: Placed): string => {
  const own = named(machine ?? cluster);
  return infrastructure ? `${own} (${named(infrastructure)})` : own;
};

/** Bulkheads for one run of a function. `onFailure` is called for each item that fails. */
export const makeBulkheads = (log: Log, onFailure: (item: Placed) => void = () => {}): Bulkheads => {
  const troubles: Trouble[] = [];
  const faults: unknown[] = [];
  const note = (doing: string, item: Placed, error: unknown): void => {
    const { namespace, name } = item.cluster.metadata;
    const reason = safeReason(error);
    const message = `${subjectOf(item)}: ${doing}: ${reason}`;
    if (isFault(error)) faults.push(error);
    else troubles.push({ cluster: item.cluster, message });
    onFailure(item);
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
