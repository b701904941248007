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

describe('the rows of the fleet', () => {
  it('begin with those that need attention', () => {
    expect(names('')).toEqual(['late', 'ill', 'a', 'b', 'changed']);
  });

  it.each([
    ['vcpulimit', ['ill']],
    ['TEAM ill', ['ill']],
    ['default ill', []],
    ['v1.34', ['late', 'ill', 'a', 'b', 'changed']],
    ['drift', ['changed']],
  ])('with %j in them are found in any case, all words needed', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it('can be limited to those that need attention, or to the others', () => {
    expect(names('', 'attention')).toEqual(['late', 'ill']);
    expect(names('', 'available')).toEqual(['a', 'b', 'changed']);
  });
});
