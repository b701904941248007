import { describe, expect, it } from 'vitest';
import { brakeLimitsOf, isBraked, mergeSummaries, type NamespaceTally, summaryOf } from './brake.ts';
import { brokenNodes } from './nodes-broken.ts';

const LIMITS = { share: 0.3, least: 5 };
const tally = (namespace: string, considered: number, broken: number): NamespaceTally => ({
  namespace,
  considered,
  broken,
});
const braked = (tallies: readonly NamespaceTally[], limits = LIMITS): string[] => {
  const summary = summaryOf(tallies);
  return tallies.flatMap(({ namespace }) => (isBraked(summary, namespace, limits) ? [namespace] : []));
};

describe('the fleet brake', () => {
  it('applies to all namespaces if too many nodes are broken in several of them', () => {
    expect(braked([tally('a', 10, 4), tally('b', 10, 4), tally('c', 10, 4)])).toEqual(['a', 'b', 'c']);
    expect(braked([tally('a', 10, 3), tally('b', 10, 3), tally('c', 10, 3)])).toEqual([]);
  });

  it('does not apply to other namespaces if only one is broken, and depends on the others for that one', () => {
    expect(braked([tally('hostile', 100, 100), tally('a', 10, 0), tally('b', 10, 1)])).toEqual(['hostile']);
    expect(braked([tally('one', 100, 100), tally('a', 10, 0), tally('b', 1000, 0)])).toEqual([]);
  });

  it('does not apply below the minimum number, nor if it is off', () => {
    expect(braked([tally('a', 4, 4)])).toEqual([]);
    expect(braked([tally('a', 5, 5)])).toEqual(['a']);
    expect(braked([tally('a', 5, 5)], brakeLimitsOf('100'))).toEqual([]);
    expect(braked([tally('a', 10, 5)], brakeLimitsOf('50'))).toEqual([]);
  });

  it('evaluates parts of a sweep as one fleet', () => {
    const parts = [summaryOf([tally('a', 10, 10)]), summaryOf([tally('b', 100, 0), tally('c', 10, 9)])];
    const merged = mergeSummaries(parts);
    expect(merged).toEqual(summaryOf([tally('a', 10, 10), tally('b', 100, 0), tally('c', 10, 9)]));
    expect(['a', 'b', 'c'].map((namespace) => isBraked(merged, namespace, LIMITS))).toEqual([false, false, false]);
    expect(isBraked(parts[0] as never, 'a', LIMITS)).toBe(true);
  });
});

describe('broken nodes', () => {
  const AT = '2026-01-01T00:00:00Z';
  const machine = (name: string, more = {}) =>
    ({ metadata: { name, ...more }, status: { nodeRef: { name } } }) as never;
  const node = (name: string, status: string, since: string) => ({
    metadata: { name, creationTimestamp: new Date(AT) },
    status: { conditions: [{ type: 'Ready', status, lastTransitionTime: new Date(since) }] },
  });
  const LATER = '2026-01-01T01:00:00Z';

  it('are nodes that were ready once and are not now, and nodes that are gone', () => {
    const machines = ['ready', 'lost', 'silent', 'gone'].map((name) => machine(name));
    const nodes = [node('ready', 'True', LATER), node('lost', 'False', LATER), node('silent', 'Unknown', LATER)];
    expect(brokenNodes(machines, nodes)).toEqual({ considered: 4, broken: 3 });
  });

  it('exclude nodes that were never ready, nodes of machines that are being deleted, and machines without a node', () => {
    const machines = [
      machine('new'),
      machine('going', { deletionTimestamp: LATER }),
      { metadata: { name: 'none' }, status: {} } as never,
    ];
    expect(brokenNodes(machines, [node('new', 'False', AT)])).toEqual({ considered: 1, broken: 0 });
  });
});
