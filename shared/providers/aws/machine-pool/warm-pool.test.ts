import { describe, expect, it } from 'vitest';
import type { DesiredGroup, GroupInstance, ObservedGroup, WarmPool } from './model.ts';
import { endedWaits, warmPoolActions } from './warm-pool.ts';

const WISH: WarmPool = { minSize: 1, maxPrepared: undefined, state: 'Stopped', reuses: false };

const instance = (id: string, state: string, version = 2): GroupInstance => ({
  ...{ id, zone: 'a', type: 't3.large' },
  ...{ state, version },
});

const facts = (
  warm: DesiredGroup['warm'],
  found: ObservedGroup['warm'],
  instances: readonly GroupInstance[] = [],
  members: readonly GroupInstance[] = [],
) => ({
  wanted: { warm } as DesiredGroup,
  group: { name: 'g', warm: found, instances: members } as unknown as ObservedGroup,
  instances,
  version: 2,
});
const put = (change: Partial<NonNullable<ObservedGroup['warm']>> = {}) => ({ ...WISH, status: undefined, ...change });
const done = (...all: Parameters<typeof facts>) => warmPoolActions(facts(...all)).map((action) => action.do);

describe('the warm pool of a group', () => {
  it.each<[string, string[], ...Parameters<typeof facts>]>([
    ['is created if there is none', ['put-warm-pool'], WISH, undefined],
    ['is not changed if it is as desired', [], WISH, put()],
    ['is changed if another program has changed it', ['put-warm-pool'], WISH, put({ reuses: true })],
    ['is changed if its limit was removed', ['put-warm-pool'], WISH, put({ maxPrepared: 3 })],
    ['is deleted if there should be none', ['delete-warm-pool'], null, put()],
    ['is not changed if others manage it', [], undefined, put()],
    ['is not changed while it is being deleted', [], WISH, put({ status: 'PendingDelete' })],
    [
      'is deleted if it has outdated instances',
      ['delete-warm-pool'],
      WISH,
      put(),
      [instance('i', 'Warmed:Stopped', 1)],
    ],
    ['is kept with current instances', [], WISH, put(), [instance('i', 'Warmed:Pending:Wait')]],
    ['is kept while outdated instances leave it', [], WISH, put(), [instance('i', 'Warmed:Terminating:Wait', 1)]],
    ['is kept with outdated instances if others manage it', [], undefined, put(), [instance('i', 'Warmed:Stopped', 1)]],
  ])('%s', (_, expected, ...given) => {
    expect(done(...given)).toEqual(expected);
  });
});

describe('waits for hooks', () => {
  it('end for an instance that enters the group', () => {
    const members = [instance('i-1', 'Pending:Wait'), instance('i-2', 'InService')];
    expect(endedWaits(facts(WISH, put(), [], members))).toEqual([
      { do: 'end-waits', name: 'g', hook: 'windlass-prepare', instances: ['i-1'] },
    ]);
  });

  it('are left alone if they belong to others', () => {
    expect(endedWaits(facts(undefined, undefined, [], [instance('i-1', 'Pending:Wait')]))).toEqual([]);
  });

  it('end for an instance that leaves the warm pool, because it has no node, and continue for one in preparation', () => {
    const all = [instance('i-1', 'Warmed:Terminating:Wait'), instance('i-2', 'Warmed:Pending:Wait')];
    expect(endedWaits(facts(WISH, put(), all))).toEqual([
      { do: 'end-waits', name: 'g', hook: 'windlass-drain', instances: ['i-1'] },
    ]);
  });
});
