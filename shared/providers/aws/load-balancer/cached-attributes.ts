import type { CachedAnswers } from '../api/port-cache.ts';
import type { Elbv2 } from './api.ts';

/** Attributes are unchanged, except those that were set. */
export const setAttributes =
  (read: 'describeLoadBalancerAttributes' | 'describeTargetGroupAttributes') =>
  (known: CachedAnswers<Elbv2>, _: unknown, changed: string, attributes: Readonly<Record<string, string>>): void =>
    known.update(read, (arn) => (before) => (arn === changed ? { ...before, ...attributes } : before));
