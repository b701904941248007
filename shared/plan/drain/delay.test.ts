import { describe, expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { deletionSummary, staleMachines } from './delay.ts';

const now = new Date('2026-01-01T01:00:00Z');
const ago = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString();

const BUDGET = "* Pod a: cannot evict pod as it would violate the pod's disruption budget. …";
const JOB = '* Pod b: waiting for completion';

const machine = (name: string, deletedMinutes: number, drainMinutes: number, message: string): Machine =>
  ({
    metadata: { name, deletionTimestamp: ago(deletedMinutes) },
    status: {
      deletion: { nodeDrainStartTime: ago(drainMinutes) },
      conditions: [{ type: 'Deleting', status: 'True', reason: 'DrainingNode', message }],
    },
  }) as Machine;

const summary = (one: Machine, reason = 'DrainingNode') =>
  deletionSummary(one, { type: 'Deleting', status: 'True', reason, message: one.status?.conditions?.[0]?.message }, now)
    .message;

describe('a deletion that takes long', () => {
  it('is summarized by its stage, and after a while with the likely causes', () => {
    expect(summary(machine('a', 10, 10, BUDGET))).toBe('Machine deletion in progress, stage: DrainingNode');
    expect(summary(machine('a', 16, 16, `${BUDGET}\n${JOB}`))).toBe(
      'Machine deletion in progress since more than 15m, stage: DrainingNode, delay likely due to PodDisruptionBudgets, Pods not completed yet',
    );
    expect(summary(machine('a', 16, 4, BUDGET))).toMatch(/stage: DrainingNode$/);
    expect(summary(machine('a', 16, 16, BUDGET), 'WaitingForVolumeDetach')).toMatch(/stage: WaitingForVolumeDetach$/);
  });

  it('is reported by the owner of the machines, with all causes together', () => {
    expect(staleMachines([machine('a', 10, 10, BUDGET)], now)).toBeUndefined();
    expect(staleMachines([machine('a', 20, 20, JOB), machine('z', 1, 1, BUDGET)], now)).toBe(
      'Machine a is in deletion since more than 15m, delay likely due to Pods not completed yet',
    );
    const many = ['d', 'c', 'b', 'a'].map((name) => machine(name, 20, 20, name === 'd' ? JOB : BUDGET));
    expect(staleMachines(many, now)).toBe(
      'Machines a, b, c, ... (1 more) are in deletion since more than 15m, delay likely due to PodDisruptionBudgets, Pods not completed yet',
    );
  });
});
