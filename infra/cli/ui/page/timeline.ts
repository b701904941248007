/** The history of a cluster's machines, as far as their conditions record it. Pure. */
import type { Machine } from '../../../../shared/kinds/index.ts';
import { conditionsOf } from '../../describe/conditions.ts';

/** A period in which a machine was in one step; times are in milliseconds since 1970. */
export interface Segment {
  step: (typeof STEPS)[number]['title'] | typeof DELETING;
  from: number;
  to: number;
  /** The step has not ended. */
  isOpen: boolean;
}

export interface Bar {
  machine: string;
  segments: readonly Segment[];
}

/** The steps in order. Each ends when its condition becomes True. */
export const STEPS = [
  { title: 'bootstrap data', ends: 'BootstrapConfigReady' },
  { title: 'instance', ends: 'InfrastructureReady' },
  { title: 'node', ends: 'NodeReady' },
  { title: 'running', ends: undefined },
] as const;

export const DELETING = 'deleting';

const trueSince = (machine: Machine, type: string): number | undefined => {
  const found = conditionsOf(machine).find((one) => one.type === type && one.status === 'True');
  return found?.lastTransitionTime ? Date.parse(found.lastTransitionTime) : undefined;
};

/** A node that was lost and has recovered shows as a long step, because conditions only record their last change. */
const segmentsOf = (machine: Machine, now: number): Segment[] => {
  const { creationTimestamp, deletionTimestamp } = machine.metadata;
  const deleted = deletionTimestamp ? Math.min(Date.parse(deletionTimestamp), now) : undefined;
  const end = deleted ?? now;
  const segments: Segment[] = [];
  let from = creationTimestamp ? Date.parse(creationTimestamp) : end;
  for (const { title, ends } of STEPS) {
    const done = ends === undefined ? undefined : trueSince(machine, ends);
    const to = Math.min(Math.max(done ?? end, from), end);
    if (to > from || done === undefined)
      segments.push({ step: title, from, to, isOpen: done === undefined && deleted === undefined });
    from = to;
    if (done === undefined) break;
  }
  return deleted === undefined ? segments : [...segments, { step: DELETING, from: deleted, to: now, isOpen: true }];
};

/** One bar for each machine, in the order of creation. */
export const barsOf = (machines: readonly Machine[], now: Date): Bar[] =>
  machines
    .map((machine) => ({ machine: machine.metadata.name, segments: segmentsOf(machine, now.getTime()) }))
    .sort((a, b) => (a.segments[0]?.from ?? 0) - (b.segments[0]?.from ?? 0));

/**
 * The time that the bars cover, in milliseconds since 1970. A long time without changes would compress the steps, so
 * the span is at most three times as long as the time until the last change.
 */
export const spanOf = (bars: readonly Bar[], now: Date): { from: number; to: number } => {
  const all = bars.flatMap(({ segments }) => segments);
  const from = Math.min(now.getTime(), ...all.map((one) => one.from));
  const lastChange = Math.max(from, ...all.flatMap((one) => (one.isOpen ? [one.from] : [one.from, one.to])));
  const to = Math.min(now.getTime(), from + Math.max(3 * (lastChange - from), 60_000));
  return { from, to: Math.max(to, from + 1) };
};
