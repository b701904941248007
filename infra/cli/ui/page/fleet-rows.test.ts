import { describe, expect, it } from 'vitest';
import type { FleetRow } from '../../describe/fleet.ts';
import { filterRows } from './fleet-rows.ts';

const rowOf = (name: string, more: Partial<FleetRow> = {}): FleetRow => ({
  namespace: 'default',
  name,
  phase: 'Provisioned',
  available: true,
  versions: ['v1.34.0'],
  controlPlane: { desired: 3, ready: 3 },
  workers: { desired: 3, ready: 3 },
  endpoint: '',
  created: '',
  why: '',
  ...more,
});

const ROWS = [
  rowOf('b'),
  rowOf('a'),
  rowOf('changed', { details: { drift: ['network'] } }),
  rowOf('late', { workers: { desired: 3, ready: 2 } }),
  rowOf('ill', { namespace: 'team', available: false, why: 'AWSCluster: VcpuLimitExceeded' }),
];

const names = (text: string, state: 'all' | 'attention' | 'available' = 'all') =>
  filterRows(ROWS, { text, state }).map(({ name }) => name);

describe('the rows of the list of clusters', () => {
  it('begin with clusters that need attention', () => {
    expect(names('')).toEqual(['late', 'ill', 'a', 'b', 'changed']);
  });

  it.each([
    ['vcpulimit', ['ill']],
    ['TEAM ill', ['ill']],
    ['default ill', []],
    ['v1.34', ['late', 'ill', 'a', 'b', 'changed']],
    ['drift', ['changed']],
  ])('are found by the words %j in any case, if they contain all of them', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it('can be limited to clusters that need attention, or to all others', () => {
    expect(names('', 'attention')).toEqual(['late', 'ill']);
    expect(names('', 'available')).toEqual(['a', 'b', 'changed']);
  });
});
