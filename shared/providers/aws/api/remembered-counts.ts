import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../clock.ts';
import type { AccountFacts } from './account-facts.ts';

/**
 * Resources of the account are listed in order to be counted. If hundreds of clusters are created together, many of
 * them share one list.
 */
const KEPT_MILLISECONDS = 10_000;

/** The requests contain zones, which users choose. */
const KEPT = 100;

export type RememberedFacts = AccountFacts & {
  /** Drops what was read before `at`; false if there was nothing. Must be called before a cluster is refused. */
  forgetBefore(at: Date): boolean;
};

/** Like `facts`, but quotas and their usage are read at most once in ten seconds. */
export const rememberCounts = (facts: AccountFacts, clock: Pick<Clock, 'now'>): RememberedFacts => {
  const known = new LRUCache<string, { at: number; answer: Promise<unknown> }>({ max: KEPT });

  const remembered =
    <A extends unknown[], T>(name: string, ask: (...given: A) => Promise<T>) =>
    (...given: A): Promise<T> => {
      const key = JSON.stringify([name, ...given]);
      const at = clock.now().getTime();
      const found = known.get(key);
      if (found && at - found.at < KEPT_MILLISECONDS) return found.answer as Promise<T>;
      const answer = ask(...given);
      known.set(key, { at, answer });
      // The next caller tries again; this caller gets the error.
      answer.catch(() => known.get(key)?.answer === answer && known.delete(key));
      return answer;
    };

  return {
    ...facts,
    quota: remembered('quota', facts.quota),
    vpcs: remembered('vpcs', facts.vpcs),
    addresses: remembered('addresses', facts.addresses),
    networkLoadBalancers: remembered('networkLoadBalancers', facts.networkLoadBalancers),
    classicLoadBalancers: remembered('classicLoadBalancers', facts.classicLoadBalancers),
    natGateways: remembered('natGateways', facts.natGateways),
    running: remembered('running', facts.running),
    forgetBefore: (at) => {
      const old = [...known].filter(([, entry]) => entry.at < at.getTime());
      for (const [key] of old) known.delete(key);
      return old.length > 0;
    },
  };
};
