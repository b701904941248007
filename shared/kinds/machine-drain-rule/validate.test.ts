import { describe, expect, it } from 'vitest';
import { refusals } from '../test-admission.ts';
import { machineDrainRule } from './definition.ts';
import type { MachineDrainRuleSpec } from './schema.ts';

const refused = (spec: MachineDrainRuleSpec): string[] =>
  refusals(machineDrainRule, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDrainRule',
    metadata: { name: 'rule' },
    spec,
  });

const a = { selector: { matchLabels: { app: 'a' } } };

describe('MachineDrainRule', () => {
  it('may have an order only with the behavior Drain', () => {
    expect(refused({ drain: { behavior: 'Drain', order: -5 }, machines: [a], pods: [a] })).toEqual([]);
    expect(refused({ drain: { behavior: 'Skip', order: 1 } })).toEqual([
      'spec.drain.order: Invalid value: 1: order must not be set if drain behavior is "Skip" or "WaitCompleted"',
    ]);
  });

  it('refuses duplicate entries', () => {
    expect(refused({ drain: { behavior: 'Drain' }, machines: [a, { ...a }] })).toEqual([
      'spec.machines: Invalid value: entries in machines must be unique',
    ]);
    expect(refused({ drain: { behavior: 'Drain' }, pods: [a, { selector: {} }] })).toEqual([]);
  });

  it.each([
    {
      spec: { machines: [{ selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }] },
      at: 'machines[0].selector',
    },
    { spec: { machines: [{ clusterSelector: { matchLabels: { '-': '' } } }] }, at: 'machines[0].clusterSelector' },
    { spec: { pods: [a, { selector: { matchLabels: { app: 'a b' } } }] }, at: 'pods[1].selector' },
    { spec: { pods: [{ namespaceSelector: { matchLabels: { '-': '' } } }] }, at: 'pods[0].namespaceSelector' },
  ])('refuses an invalid selector in $at', ({ spec, at }) => {
    expect(refused({ drain: { behavior: 'Drain' }, ...spec })).toEqual([
      expect.stringContaining(`spec.${at}: Invalid value: {`),
    ]);
  });
});
