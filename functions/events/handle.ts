/**
 * Handles what clouds and Step Functions report through EventBridge, within seconds: it is recorded on the machine or
 * cluster concerned, and a pass over the cluster does the rest. Nothing depends on these events alone: the sweep finds
 * the same changes.
 */

import { ConflictError } from '../../shared/errors.ts';
import { recordEvent } from '../../shared/events/record.ts';
import type { KnownMachine } from '../../shared/plan/drift/finding.ts';
import { withNotice } from '../../shared/plan/instance-events/notice.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import { INFRASTRUCTURES } from '../../shared/providers/registry.ts';
import { mapIsolated } from '../../shared/store/concurrency.ts';
import { touchAfter } from '../../shared/store/work/pledges.ts';
import { type Bulkheads, makeBulkheads } from '../bulkheads.ts';
import { clusterRefOf } from '../cluster-ref.ts';
import { mark } from '../drift/instances/mark.ts';
import type { CloudNews, InstanceNews, StateChange } from '../providers/event-port.ts';
import { COMPONENT, type EventDependencies } from './dependencies.ts';
import { passFailed, readFailedPass } from './failed-pass.ts';
import { findMachines, readMachine } from './find-machines.ts';
import { infrastructureChanged } from './infrastructure-change.ts';
import { giveNotice, withdrawNotice } from './notice.ts';
import { poolChanged } from './pool-change.ts';

export interface HandleResult {
  /** Instances that the event concerns. */
  instances: number;
  /**
   * The number of these that belong to our machines. For a change of infrastructure, the clusters concerned; for a
   * failed pass, its cluster.
   */
  known: number;
  /** The number of these for which the event was news. */
  changed: number;
}

/** Runs `write` and makes sure that the touch that follows its news cannot be lost. True if there was news. */
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

/** How often a state is read again if it changes in between. */
const LOOKS = 5;

/**
 * Events about one instance are handled concurrently: a finding that is outdated when it is written is read again.
 * Throws ConflictError if the record changed at every attempt; Lambda then delivers the event again.
 */
const applyState = async (
  deps: EventDependencies,
  provider: Infrastructure,
  news: StateChange,
  first: KnownMachine,
): Promise<boolean> => {
  const { namespace = '', name } = first.infrastructure.metadata;
  let known: KnownMachine | undefined = first;
  for (let look = 0; look < LOOKS && known; look += 1) {
    const findings = await news.look(known);
    if (findings.length === 0) return false;
    const isNews = await withTouch(deps, known, async () => {
      const marked = findings.map((finding) => mark(deps, provider, finding, COMPONENT));
      return (await Promise.all(marked)).includes(true);
    });
    if (isNews) return true;
    known = await readMachine(deps, provider, { namespace, name }, news.instanceId);
  }
  if (known) throw new ConflictError(`the state of instance ${news.instanceId} changed during each of ${LOOKS} looks`);
  return false;
};

const apply = async (
  deps: EventDependencies,
  provider: Infrastructure,
  news: InstanceNews,
  known: KnownMachine,
): Promise<boolean> => {
  switch (news.kind) {
    case 'state':
      return applyState(deps, provider, news, known);
    case 'notice':
      if (!withNotice(known.machine, news.notice)) return false;
      return withTouch(deps, known, () => giveNotice(deps, known.machine, news.notice));
    case 'withdrawal':
      return withTouch(deps, known, () => withdrawNotice(deps, known.machine, news));
  }
};

/** If an object of the machine causes an exception, this is reported on its cluster: trying again would not help. */
const reportTroubles = async ({ objects, clock }: EventDependencies, { troubles }: Bulkheads): Promise<void> => {
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

/**
 * Handles an event about one instance for each of its machines, and returns whether it changed anything; undefined if
 * no machine has the instance.
 */
const handleOne = async (
  deps: EventDependencies,
  provider: Infrastructure,
  news: InstanceNews,
): Promise<boolean | undefined> => {
  const { machines, faults } = await findMachines(deps, provider, news.instanceId);
  const bulkheads = makeBulkheads(deps.log);
  const results = await bulkheads.each(`handle an event of instance ${news.instanceId}`, machines, (known) =>
    apply(deps, provider, news, known),
  );
  await reportTroubles(deps, bulkheads);
  // An error of the account or the table may be gone at the next attempt.
  faults.push(...bulkheads.faults);
  if (faults.length > 0) throw faults[0];
  return machines.length > 0 ? results.includes(true) : undefined;
};

const CONCURRENCY = 10;

const handleInstances = async (
  deps: EventDependencies,
  provider: Infrastructure,
  news: readonly InstanceNews[],
): Promise<HandleResult> => {
  const faults: unknown[] = [];
  const results = await mapIsolated(
    news,
    CONCURRENCY,
    (one) => handleOne(deps, provider, one),
    (_, error) => faults.push(error),
  );
  const known = results.filter((isNews) => isNews !== undefined);
  const result = { instances: news.length, known: known.length, changed: known.filter((isNews) => isNews).length };
  if (result.known > 0) deps.log.info('event handled', { type: news[0]?.kind, ...result });
  if (faults.length > 0) throw faults[0];
  return result;
};

/** The content of an event, and the provider whose cloud sent it. Throws if no provider recognizes the event. */
const readNews = (
  { providers }: Pick<EventDependencies, 'providers'>,
  event: unknown,
): { provider: Infrastructure; news: CloudNews } => {
  for (const provider of INFRASTRUCTURES) {
    const news = providers[provider.name]?.read(event);
    if (news) return { provider, news };
  }
  throw new Error('no provider handles events of this detail-type: the rules should not deliver it');
};

/**
 * Handles one event. It is safe to repeat it with the same or an older event, and concurrently with another. After
 * everything else is done, throws the error of an instance that could not be read or written.
 */
export const handleEvent = async (deps: EventDependencies, event: unknown): Promise<HandleResult> => {
  const failed = readFailedPass(event);
  if (failed) {
    const known = (await passFailed(deps, failed)) ? 1 : 0;
    return { instances: 0, known, changed: known };
  }
  const { provider, news } = readNews(deps, event);
  if ('instances' in news) return handleInstances(deps, provider, news.instances);
  const changed =
    'pool' in news
      ? await poolChanged(deps, provider, news.pool)
      : await infrastructureChanged(deps, provider, news.change);
  return { instances: 0, known: changed, changed };
};
