import { describe, expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { controlPlaneOperations } from './operations.ts';

const machine = { metadata: { name: 'half' } } as Machine;

describe('the operations of a control plane', () => {
  it('delete before they create', () => {
    const plan = { create: [{ name: 'new', failureDomain: 'a' }], remove: ['old', 'older'] };
    expect(controlPlaneOperations({ plan, incomplete: [], isReplacing: true })).toEqual([
      { do: 'delete-machine', name: 'old' },
      { do: 'delete-machine', name: 'older' },
      { do: 'make-machines', wanted: plan.create, incomplete: [], endsRemediation: true },
    ]);
  });

  it('complete what an interrupted pass left, and otherwise do nothing', () => {
    const plan = { create: [] };
    expect(controlPlaneOperations({ plan, incomplete: [machine], isReplacing: false })).toEqual([
      { do: 'make-machines', wanted: [], incomplete: [machine], endsRemediation: false },
    ]);
    expect(controlPlaneOperations({ plan, incomplete: [], isReplacing: true })).toEqual([]);
  });
});
