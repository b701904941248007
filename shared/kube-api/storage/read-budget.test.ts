import { describe, expect, it } from 'vitest';
import { makeReadBudget } from './read-budget.ts';

const LIMITS = { namespace: 100, total: 150 };

describe('a budget', () => {
  it('leaves out a namespace that exceeds the limit for one namespace', () => {
    const budget = makeReadBudget(LIMITS);
    expect([budget.charge('a', 100), budget.charge('b', 20), budget.charge('a', 1)]).toEqual([true, true, false]);
    expect([budget.isLeftOut('a'), budget.isLeftOut('b')]).toEqual([true, false]);
    expect([...budget.exceeded()]).toEqual([['a', { bytes: 101, isAlone: true }]]);
  });

  it('leaves out the largest namespace if all together exceed the limit, and continues with the freed budget', () => {
    const budget = makeReadBudget(LIMITS);
    budget.charge('a', 90);
    expect([budget.charge('b', 50), budget.charge('c', 20)]).toEqual([true, true]);
    expect([...budget.exceeded()]).toEqual([['a', { bytes: 90, isAlone: false }]]);
    expect(budget.charge('c', 75)).toBe(true);
  });

  it('releases the held objects of a namespace that is left out', () => {
    const budget = makeReadBudget(LIMITS);
    const [mine, others, returned] = [[1], [2], [3]];
    budget.hold('a', mine);
    budget.hold('b', others);
    budget.hold('a', returned)();
    budget.charge('a', 101);
    expect([mine, others, returned]).toEqual([[], [2], [3]]);
  });

  it('leaves out only the namespace that is being read once the budget is settled', () => {
    const budget = makeReadBudget(LIMITS);
    budget.charge('a', 90);
    budget.settle();
    expect([budget.charge('b', 60), budget.charge('b', 1)]).toEqual([true, false]);
    expect(budget.isLeftOut('a')).toBe(false);
  });

  it('reports the largest namespace even then, once, and not the one that happens to be read', () => {
    const budget = makeReadBudget(LIMITS);
    budget.charge('a', 90);
    budget.settle();
    budget.charge('b', 50);
    expect([budget.charge('c', 20), budget.isLeftOut('c'), budget.isLeftOut('a')]).toEqual([false, true, false]);
    expect([budget.charge('a', 5), budget.charge('b', 20)]).toEqual([true, false]);
    expect([...budget.exceeded()]).toEqual([['a', { bytes: 90, isAlone: false }]]);
    expect(budget.charge('a', 6)).toBe(false);
    expect([...budget.exceeded()]).toEqual([['a', { bytes: 101, isAlone: true }]]);
  });

  it('does not report namespaces that were left out before', () => {
    const budget = makeReadBudget(LIMITS, ['a']);
    expect([budget.admit('a', {}), budget.charge('a', 1), budget.exceeded().size]).toEqual([false, false, 0]);
  });
});
