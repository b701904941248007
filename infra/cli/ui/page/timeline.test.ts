import { describe, expect, it } from 'vitest';
import type { Machine } from '../../../../shared/kinds/index.ts';
import { barsOf, spanOf } from './timeline.ts';
import { wordsOf } from './timeline-chart.ts';

const at = (time: string): string => `2030-01-01T${time}Z`;
const NOW = new Date(at('00:10:00'));

const machine = (name: string, done: Readonly<Record<string, string>>, deleted?: string): Machine =>
  ({
    metadata: { name, creationTimestamp: at('00:00:00'), ...(deleted ? { deletionTimestamp: at(deleted) } : {}) },
    status: {
      conditions: Object.entries(done).map(([type, time]) => ({
        type,
        status: time === '' ? 'False' : 'True',
        lastTransitionTime: at(time || '00:09:00'),
      })),
    },
  }) as unknown as Machine;

const WELL = { BootstrapConfigReady: '00:00:10', InfrastructureReady: '00:01:00', NodeReady: '00:03:00' };

const wordsFor = (one: Machine) => barsOf([one], NOW).map(wordsOf)[0];

describe('the bar of a machine', () => {
  it('shows its steps from creation to now', () => {
    expect(wordsFor(machine('a', WELL))).toBe('bootstrap data 10s, instance 50s, node 2m, running for 7m');
  });

  it('ends with the step in progress', () => {
    expect(wordsFor(machine('a', { ...WELL, NodeReady: '' }))).toBe('bootstrap data 10s, instance 50s, node for 9m');
    expect(wordsFor(machine('a', {}))).toBe('bootstrap data for 10m');
  });

  it('ends with the deletion', () => {
    expect(wordsFor(machine('a', WELL, '00:04:00'))).toBe(
      'bootstrap data 10s, instance 50s, node 2m, running 60s, deleting for 6m',
    );
  });

  it('has no step of negative length if conditions changed in an unusual order', () => {
    const [bar] = barsOf([machine('a', { ...WELL, BootstrapConfigReady: '00:02:00' })], NOW);
    for (const { from, to } of bar?.segments ?? []) expect(to).toBeGreaterThanOrEqual(from);
    expect(bar && wordsOf(bar)).toBe('bootstrap data 2m, node 60s, running for 7m');
  });
});

it('the bars cover three times the time until the last change, so that steps remain visible', () => {
  const { from, to } = spanOf(barsOf([machine('a', { ...WELL, NodeReady: '00:01:30' })], NOW), NOW);
  expect((to - from) / 1000).toBe(270);
});
