import { describe, expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { secondsToRecheck } from './recheck.ts';

const NOW = new Date('2030-01-01T01:00:00Z');
const TYPE = 'NodeKubeadmLabelsAndTaintsSet';

const machine = (status: string, ageSeconds: number, type = TYPE): Machine => {
  const lastTransitionTime = new Date(NOW.getTime() - ageSeconds * 1000).toISOString();
  return { status: { conditions: [{ type, status, reason: 'Any', message: '', lastTransitionTime }] } } as Machine;
};

describe('control plane machines are checked again', () => {
  it('while a condition has not been True for a short time, at growing intervals', () => {
    const seconds = [0, 4, 20, 100, 599].map((age) => secondsToRecheck([machine('False', age)], [TYPE], NOW));
    expect(seconds).toEqual([5, 5, 10, 50, 300]);
    expect(secondsToRecheck([machine('Unknown', 60), machine('False', 40)], [TYPE], NOW)).toBe(20);
  });

  it('but not for conditions that are True, of other types, or unchanged for ten minutes', () => {
    const machines = [machine('True', 0), machine('False', 0, 'Other'), machine('False', 600), {} as Machine];
    expect(secondsToRecheck(machines, [TYPE], NOW)).toBeUndefined();
  });
});
