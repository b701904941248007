import { describe, expect, it } from 'vitest';
import type { EtcdView } from './etcd-view.ts';
import { type LeaveFacts, planLeave } from './leave-etcd.ts';

const view = (
  names: readonly string[],
  over: { leader?: string; silent?: string[]; learner?: string; alarmed?: string; unstarted?: string } = {},
): EtcdView => ({
  members: names.map((name) => ({
    id: `id-${name}`,
    name: name === over.unstarted ? '' : name,
    learner: name === over.learner || name === over.unstarted,
    hosts: [`ip-${name}`],
  })),
  leader: over.leader && `id-${over.leader}`,
  reachable: new Set(names.filter((name) => !over.silent?.includes(name)).map((name) => `id-${name}`)),
  alarms: new Map(over.alarmed ? [[`id-${over.alarmed}`, 'NOSPACE']] : []),
});
const facts = (nodes: readonly string[] | undefined = ['a', 'b', 'c'], servers = ['b', 'c']): LeaveFacts => ({
  leaving: { node: 'a', addresses: ['ip-a'] },
  successors: ['c', 'b'],
  nodes,
  elsewhere: ['ip-b', 'ip-c'],
  servers,
});
const FIVE = ['a', 'b', 'c', 'd', 'e'];
const lost = { do: 'remove-stray', member: { name: 'x' } };
const why = (text: string) => ({ do: 'wait', why: expect.stringContaining(text) });

describe('planLeave', () => {
  it.each([
    { reason: 'does not exist (any more)', of: view(['b', 'c']), step: { do: 'nothing' } },
    {
      reason: 'could not join because of a member without a machine',
      of: view(['b', 'c', 'x'], { silent: ['x'] }),
      step: lost,
    },
    {
      reason: 'does not exist, while the member without a machine responds',
      of: view(['b', 'c', 'x']),
      step: { do: 'nothing' },
    },
    {
      reason: 'does not exist, while the others have no quorum',
      of: view(['b', 'c', 'x'], { silent: ['c', 'x'] }),
      step: { do: 'nothing' },
    },
    {
      reason: 'is a follower',
      of: view(['a', 'b', 'c'], { leader: 'b' }),
      step: { do: 'remove', member: view(['a']).members[0] },
    },
    {
      reason: 'is the leader',
      of: view(['a', 'b', 'c'], { leader: 'a' }),
      step: { do: 'move-leader', to: view(['c']).members[0] },
    },
    {
      reason: 'is the leader, while the first successor does not respond',
      of: view(['a', 'b', 'c', 'd', 'e'], { leader: 'a', silent: ['c'] }),
      nodes: FIVE,
      step: { do: 'move-leader', to: view(['b']).members[0] },
    },
    {
      reason: 'does not respond',
      of: view(['a', 'b', 'c'], { leader: 'b', silent: ['a'] }),
      step: { do: 'remove', member: view(['a']).members[0] },
    },
    { reason: 'is the last one', of: view(['a'], { leader: 'a' }), step: why('last member') },
    {
      reason: 'would leave two members, one of which does not respond',
      of: view(['a', 'b', 'c'], { leader: 'a', silent: ['b'] }),
      step: why('2 of the 2 remaining members must be healthy, but b does not answer'),
    },
    {
      reason: 'would leave two members, one of which has an alarm',
      of: view(['a', 'b', 'c'], { leader: 'b', alarmed: 'c' }),
      step: why('2 of the 2 remaining members must be healthy, but c has the alarm NOSPACE'),
    },
    {
      reason: 'has never started, even if another does not respond',
      of: view(['a', 'b', 'c'], { leader: 'b', unstarted: 'a', silent: ['a', 'c'] }),
      step: { do: 'remove', member: view(['a'], { unstarted: 'a' }).members[0] },
    },
    {
      reason: 'would leave a learner',
      of: view(['a', 'b', 'c'], { leader: 'b', learner: 'c' }),
      step: why('member c is still a learner'),
    },
  ])('plans the next step for a machine whose member $reason', ({ of, step, nodes }) => {
    expect(planLeave(of, facts(nodes))).toMatchObject(step);
  });

  it('keeps a member that responds while no other machine serves the cluster', () => {
    const following = view(['a', 'b', 'c'], { leader: 'b' });
    expect(planLeave(following, facts(undefined, []))).toEqual(why('no other control plane machine'));
    const silent = view(['a', 'b', 'c'], { leader: 'b', silent: ['a'] });
    expect(planLeave(silent, facts(undefined, []))).toMatchObject({ do: 'remove' });
  });

  it.each([
    { reason: 'has left etcd', of: view(['a', 'c'], { leader: 'c' }), server: 'b' },
    { reason: 'does not answer', of: view(['a', 'b', 'c', 'd'], { leader: 'c', silent: ['b'] }), server: 'b' },
  ])('does not count a machine that serves the cluster if its member $reason', ({ of, server }) => {
    expect(planLeave(of, facts(FIVE, [server]))).toEqual(why('no other control plane machine'));
    expect(planLeave(of, facts(FIVE, [server, 'c']))).toMatchObject({ do: 'remove' });
  });

  it('first removes a member without a machine, once the machine of each member is known', () => {
    const stranger = view(['a', 'b', 'c', 'x'], { leader: 'a', unstarted: 'x', silent: ['x'] });
    const dead = view(['a', 'b', 'c', 'x'], { leader: 'a', silent: ['x'] });
    const last = view(['a', 'x'], { leader: 'a', silent: ['x'] });

    expect(planLeave(stranger, facts())).toEqual({ do: 'remove-stray', member: stranger.members[3] });
    expect(planLeave(dead, facts())).toMatchObject({ do: 'remove-stray', member: { name: 'x' } });
    expect(planLeave(last, facts())).toMatchObject({ do: 'remove-stray', member: { name: 'x' } });
    expect(planLeave(stranger, { ...facts(), nodes: undefined })).toEqual(why('is still a learner'));
  });

  it('continues while a minority of the remaining members does not answer', () => {
    const five = view(['a', 'b', 'c', 'd', 'e'], { leader: 'b', silent: ['e'] });

    expect(planLeave(five, facts(FIVE))).toMatchObject({ do: 'remove' });
  });

  it.each([
    {
      reason: 'is the last one',
      of: view(['a', 'y'], { leader: 'a', unstarted: 'y', silent: ['y'] }),
      nodes: ['a', 'y'],
    },
    {
      reason: 'would leave others',
      of: view(['a', 'b', 'y'], { leader: 'a', unstarted: 'y', silent: ['y'] }),
      nodes: ['a', 'b', 'y'],
    },
    {
      reason: 'would leave one at the address of another machine',
      of: view(['a', 'b', 'c'], { leader: 'a', unstarted: 'c', silent: ['c'] }),
      nodes: ['a', 'b'],
    },
  ])('waits for the member of a joining node to start, while the leaving member $reason', ({ of, nodes }) => {
    expect(planLeave(of, facts(nodes))).toEqual(why('is still a learner'));
  });

  it('keeps the member of a joining node for a machine that is not a member', () => {
    const starting = view(['b', 'y'], { leader: 'b', unstarted: 'y', silent: ['y'] });
    expect(planLeave(starting, facts(['a', 'b', 'y']))).toEqual({ do: 'nothing' });
    expect(planLeave(starting, facts(['a', 'b']))).toMatchObject({ do: 'remove-stray', member: { id: 'id-y' } });
  });
});
