/**
 * What EC2 says through EventBridge, within seconds, written down on the machine that it concerns; a pass over its
 * cluster does the rest. Nothing depends on it alone: the sweep finds the same by looking.
 */

import { readApiCall } from '../../shared/plan/drift/api-call.ts';
import type { KnownMachine } from '../../shared/plan/drift/states.ts';
import { type InstanceNews, readEvent } from '../../shared/plan/instance-events/read.ts';
import { apiCalled } from './api-call.ts';
import type { EventDependencies } from './dependencies.ts';
import { findMachine } from './find.ts';
import { giveNotice, withdrawNotice } from './notice.ts';
import { stateChanged } from './state-change.ts';

export interface HandleResult {
  /** Instances that the event is about. */
  instances: number;
  /** Of these, our machines'; of a call to AWS, the clusters whose things it has changed. */
  known: number;
  /** Of these, such with news. */
  changed: number;
}

const touchCluster = ({ touch }: EventDependencies, { cluster }: KnownMachine): Promise<void> => {
  const { namespace = '', name, uid = '' } = cluster.metadata;
  return touch({ namespace, name, uid });
};

const apply = (
  deps: EventDependencies,
  news: InstanceNews,
  known: KnownMachine,
  region: string | undefined,
): Promise<boolean> => {
  switch (news.kind) {
    case 'state':
      return stateChanged(deps, news, known, region);
    case 'notice':
      return giveNotice(deps, known.machine, news.notice);
    case 'withdrawal':
      return withdrawNotice(deps, known.machine, news.id);
  }
};

const handleOne = async (
  deps: EventDependencies,
  news: InstanceNews,
  region: string | undefined,
): Promise<Omit<HandleResult, 'instances'>> => {
  const known = await findMachine(deps, news.instanceId);
  if (!known) return { known: 0, changed: 0 };
  const changed = await apply(deps, news, known, region);
  if (changed) await touchCluster(deps, known);
  return { known: 1, changed: changed ? 1 : 0 };
};

/** Handles one event. Safe to be called again with the same, with an older one, and at once with another. */
export const handleEvent = async (deps: EventDependencies, event: unknown): Promise<HandleResult> => {
  const call = readApiCall(event);
  if (call) {
    const changed = await apiCalled(deps, call);
    return { instances: 0, known: changed, changed };
  }
  const news = readEvent(event);
  const { region } = event as { region?: string };
  const results = await Promise.all(news.map((one) => handleOne(deps, one, region)));
  const sum = (key: 'known' | 'changed') => results.reduce((total, result) => total + result[key], 0);
  const result = { instances: news.length, known: sum('known'), changed: sum('changed') };
  if (result.known > 0) deps.log.info('event handled', { type: news[0]?.kind, ...result });
  return result;
};
