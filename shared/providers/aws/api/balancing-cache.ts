import type { Clock } from '../../../clock.ts';
import type { Elbv2 } from './elbv2.ts';
import { CACHE_SECONDS, type CachedAnswers, type CacheUpdates, createPortCache, type PortCache } from './port-cache.ts';

type Known = CachedAnswers<Elbv2>;
type Attributes = Parameters<Elbv2['setTargetGroupAttributes']>[1];

const setAttributes =
  (read: 'describeLoadBalancerAttributes' | 'describeTargetGroupAttributes') =>
  (known: Known, _: unknown, changed: string, attributes: Attributes): void =>
    known.update(read, (arn) => (before) => (arn === changed ? { ...before, ...attributes } : before));

/**
 * For writes whose effect on what is read follows from what they were asked for and answered. A creation that meets what
 * another run has made answers with that: what it has besides is found when the next creation is refused.
 */
const BALANCING_UPDATES: CacheUpdates<Elbv2> = {
  createLoadBalancer: (known, made) => {
    known.forget('describeLoadBalancer');
    if (!made) return;
    known.put('describeLoadBalancer', [made.name], made);
    known.put('describeListeners', [made.arn], []);
    known.put('describeTargetGroupsOf', [made.arn], []);
  },
  setLoadBalancerAttributes: setAttributes('describeLoadBalancerAttributes'),
  createTargetGroup: (known, made) => {
    known.forget('describeTargetGroup');
    if (made) known.put('describeTargetGroup', [made.name], made);
  },
  setTargetGroupAttributes: setAttributes('describeTargetGroupAttributes'),
  createListener: (known, made, { loadBalancerArn }) => {
    known.forget('describeTargetGroupsOf');
    if (!made) return known.forget('describeListeners');
    known.update(
      'describeListeners',
      (arn) => (all) => (arn === loadBalancerArn ? [...all.filter((one) => one.arn !== made.arn), made] : all),
    );
  },
};

/** For the load balancers of clusters. Which targets are registered is always asked: the machines' own executions change that. */
export const createBalancingCache = (clock: Pick<Clock, 'now'>): PortCache<Elbv2> =>
  createPortCache<Elbv2>({
    clock,
    seconds: CACHE_SECONDS,
    reads: [
      'describeLoadBalancer',
      'describeLoadBalancerAttributes',
      'describeListeners',
      'describeTargetGroup',
      'describeTargetGroupsOf',
      'describeTargetGroupAttributes',
      'describeTags',
    ],
    updates: BALANCING_UPDATES,
    invalidates: { registerTarget: [] },
  });
