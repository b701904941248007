/**
 * What EC2 and Step Functions say through EventBridge, within seconds, written down on the machine or cluster that it
 * concerns; a pass over the cluster does the rest. Nothing depends on it alone: the sweep finds the same by looking.
 */

import { recordEvent } from '../../shared/events/record.ts';
import { withNotice } from '../../shared/plan/instance-events/notice.ts';
import { type InstanceNews, readEvent } from '../../shared/plan/instance-events/read.ts';
import { readApiCall } from '../../shared/providers/aws/plan/drift/api-call.ts';
import type { KnownMachine } from '../../shared/providers/aws/plan/drift/states.ts';
import { mapIsolated } from '../../shared/store/concurrency.ts';
import { touchAfter } from '../../shared/store/pledges.ts';
import { clusterRefOf } from '../cluster-ref.ts';
import { type Bulkheads, makeBulkheads } from '../providers/aws/bulkheads.ts';
import { apiCalled } from '../providers/aws/events/api-call.ts';
import { findMachine } from '../providers/aws/events/find.ts';
import { noteStates, statesNow } from '../providers/aws/events/state-change.ts';
import { COMPONENT, type EventDependencies } from './dependencies.ts';
import { passFailed, readFailedPass } from './failed-pass.ts';
import { giveNotice, withdrawNotice } from './notice.ts';

export interface HandleResult {
  /** Instances that the event is about. */
  instances: number;
  /** Of these, our machines'; of a call to AWS, the clusters whose resources it changed; of a failed pass, its cluster. */
  known: number;
  /** Of these, such with news. */
  changed: number;
}

/** Runs `write` so that the touch after its news cannot be lost. True when there was news. */
const withTouch = async (
  deps: EventDependencies,
  { cluster }: KnownMachine,
  write: () => Promise<boolean>,
): Promise<boolean> => {
  const ref = clusterRefOf(cluster);
  let isNews = false;
  await touchAfter(deps, [ref], async () => {
    isNews = await write();
    return isNews ? [ref] : [];
  });
  return isNews;
};

const apply = async (
  deps: EventDependencies,
  news: InstanceNews,
  known: KnownMachine,
  region: string | undefined,
): Promise<boolean> => {
  switch (news.kind) {
    case 'state': {
      const findings = await statesNow(deps, news, known, region);
      return findings.length > 0 && withTouch(deps, known, () => noteStates(deps, findings));
    }
    case 'notice':
      if (!withNotice(known.machine, news.notice)) return false;
      return withTouch(deps, known, () => giveNotice(deps, known.machine, news.notice));
    case 'withdrawal':
      return withTouch(deps, known, () => withdrawNotice(deps, known.machine, news.id));
  }
};

/** What an object of the machine's made code throw is told on its cluster: trying again would not help. */
const tell = async ({ objects, clock }: EventDependencies, { troubles }: Bulkheads): Promise<void> => {
  for (const { cluster: regarding, message } of troubles) {
    const happening = {
      regarding,
      type: 'Warning',
      reason: 'ObjectNotHandled',
      message,
      component: COMPONENT,
    } as const;
    await recordEvent(objects, happening, clock);
  }
};

/** Handles what an event says of one instance, and returns whether there was news; undefined where it is nobody's. */
const handleOne = async (
  deps: EventDependencies,
  news: InstanceNews,
  region: string | undefined,
): Promise<boolean | undefined> => {
  const known = await findMachine(deps, news.instanceId);
  if (!known) return undefined;
  const bulkheads = makeBulkheads(deps.log);
  const [isNews = false] = await bulkheads.each(`handle what EC2 says of instance ${news.instanceId}`, [known], () =>
    apply(deps, news, known, region),
  );
  await tell(deps, bulkheads);
  // What the account or the table answered may be otherwise at the next try.
  if (bulkheads.faults.length > 0) throw bulkheads.faults[0];
  return isNews;
};

const CONCURRENCY = 10;

/**
 * Handles one event. Safe to be called again with the same, with an older one, and at once with another. Throws, after all
 * else is done, what could not be read or written for one of its instances.
 */
export const handleEvent = async (deps: EventDependencies, event: unknown): Promise<HandleResult> => {
  const call = readApiCall(event);
  if (call) {
    const changed = await apiCalled(deps, call);
    return { instances: 0, known: changed, changed };
  }
  const failed = readFailedPass(event);
  if (failed) {
    const known = (await passFailed(deps, failed)) ? 1 : 0;
    return { instances: 0, known, changed: known };
  }
  const news = readEvent(event);
  const { region } = event as { region?: string };
  const faults: unknown[] = [];
  const results = await mapIsolated(
    news,
    CONCURRENCY,
    (one) => handleOne(deps, one, region),
    (_, error) => faults.push(error),
  );
  const known = results.filter((isNews) => isNews !== undefined);
  const result = { instances: news.length, known: known.length, changed: known.filter((isNews) => isNews).length };
  if (result.known > 0) deps.log.info('event handled', { type: news[0]?.kind, ...result });
  if (faults.length > 0) throw faults[0];
  return result;
};
