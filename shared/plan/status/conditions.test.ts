import { describe, expect, it } from 'vitest';
import type { Condition } from '../../kube-api/object.ts';
import { summarize, withConditions } from './conditions.ts';

const early = new Date('2026-01-01T00:00:00Z');
const late = new Date('2026-01-01T01:00:00Z');
const condition = (type: string, status: Condition['status'], message = ''): Condition => ({
  type,
  status,
  reason: 'R',
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

describe('withConditions', () => {
  it('moves the transition time only when the status changes', () => {
    const first = withConditions([], [{ type: 'Ready', status: 'False', reason: 'A' }], 1, early);
    const reworded = withConditions(first, [{ type: 'Ready', status: 'False', reason: 'B' }], 2, late);
    const changed = withConditions(reworded, [{ type: 'Ready', status: 'True', reason: 'C' }], 2, late);

    expect(reworded[0]).toMatchObject({
      reason: 'B',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      observedGeneration: 2,
    });
    expect(changed[0]).toMatchObject({ status: 'True', lastTransitionTime: '2026-01-01T01:00:00Z' });
  });

  it('truncates a message that is too long for a condition, and does not change when it is claimed again', () => {
    const claims = [{ type: 'Ready', status: 'False', reason: 'A', message: '😀'.repeat(20_000) }] as const;
    const first = withConditions([], claims, 1, early);

    const message = first[0]?.message ?? '';
    expect(message.length).toBe(32_768);
    expect(message.endsWith('…')).toBe(true);
    expect(message.isWellFormed()).toBe(true);
    expect(withConditions(first, claims, 1, late)).toEqual(first);
  });

  it('keeps unclaimed conditions, and does not change when the same claims are repeated', () => {
    const claims = [{ type: 'Paused', status: 'False', reason: 'NotPaused' }] as const;
    const first = withConditions([condition('Custom', 'True')], claims, 1, early);

    expect(first.map(({ type }) => type)).toEqual(['Custom', 'Paused']);
    expect(withConditions(first, claims, 1, late)).toEqual(first);
  });

  it('does not change when AWS refuses the same again, but does when it refuses something else', () => {
    const refused = (message: string) => [{ type: 'Ready', status: 'False', reason: 'R', message }] as const;
    const first = withConditions([], refused('Denied: no (request r-1)'), 1, early);

    expect(withConditions(first, refused('Denied: no (request r-2)'), 1, late)).toEqual(first);
    expect(withConditions(first, refused('Denied: not this (request r-3)'), 1, late)[0]?.message).toBe(
      'Denied: not this (request r-3)',
    );
  });
});

it('conditions are put in the order of upstream, with unknown ones before Paused', () => {
  const types = [
    'Zoo',
    'Deleting',
    'Paused',
    'NodeReady',
    'NodeHealthy',
    'Available',
    'BootstrapConfigReady',
    'Ready',
    'Ant',
  ];
  const claims = types.map((type) => ({ type, status: 'True', reason: 'R' }) as const);
  expect(withConditions([], claims, 1, new Date(0)).map(({ type }) => type)).toEqual([
    'Available',
    'Ready',
    'BootstrapConfigReady',
    'NodeHealthy',
    'NodeReady',
    'Ant',
    'Zoo',
    'Paused',
    'Deleting',
  ]);
});

describe('summarize', () => {
  const reasons = ['Ready', 'NotReady', 'ReadyUnknown'] as const;
  const inputs = [{ type: 'A' }, { type: 'Deleting', negative: true }, { type: 'Extra', optional: true }];

  it.each([
    { reason: 'all good', conditions: [condition('A', 'True'), condition('Deleting', 'False')], status: 'True' },
    {
      reason: 'one bad',
      conditions: [condition('A', 'False', 'broken'), condition('Deleting', 'False')],
      status: 'False',
    },
    {
      reason: 'a negative one is bad when True',
      conditions: [condition('A', 'True'), condition('Deleting', 'True')],
      status: 'False',
    },
    { reason: 'one missing', conditions: [condition('Deleting', 'False')], status: 'Unknown' },
  ])('is $status: $reason', ({ conditions, status }) => {
    expect(summarize('Ready', inputs, conditions, reasons).status).toBe(status);
  });

  it('names the error', () => {
    const claim = summarize('Ready', inputs, [condition('A', 'False', 'broken')], reasons);
    expect(claim.message).toBe('* A: broken\n* Deleting: Condition not yet reported');
  });
});
