import { describe, expect, it } from 'vitest';
import type { EtcdView } from '../../workload/etcdctl.ts';
import { planLeave } from './leave-etcd.ts';

const view = (
  names: readonly string[],
  over: { leader?: string; silent?: string[]; learner?: string } = {},
): EtcdView => ({
  members: names.map((name) => ({ id: `id-${name}`, name, learner: name === over.learner })),
  leader: over.leader && `id-${over.leader}`,
  reachable: new Set(names.filter((name) => !over.silent?.includes(name)).map((name) => `id-${name}`)),
});
const why = (text: string) => ({ do: 'wait', why: expect.stringContaining(text) });

describe('planLeave', () => {
  it.each([
    { reason: 'is no member (any more)', of: view(['b', 'c']), step: { do: 'nothing' } },
    {
      reason: 'follows',
      of: view(['a', 'b', 'c'], { leader: 'b' }),
      step: { do: 'remove', member: view(['a']).members[0] },
    },
    {
      reason: 'leads',
      of: view(['a', 'b', 'c'], { leader: 'a' }),
      step: { do: 'move-leader', to: view(['c']).members[0] },
    },
    {
      reason: 'leads, and the first successor does not answer',
      of: view(['a', 'b', 'c', 'd', 'e'], { leader: 'a', silent: ['c'] }),
      step: { do: 'move-leader', to: view(['b']).members[0] },
    },
    {
      reason: 'is dead',
      of: view(['a', 'b', 'c'], { leader: 'b', silent: ['a'] }),
      step: { do: 'remove', member: view(['a']).members[0] },
    },
    { reason: 'is the last', of: view(['a'], { leader: 'a' }), step: why('last member') },
    {
      reason: 'leaves a member that does not answer to half of what is left',
      of: view(['a', 'b', 'c'], { leader: 'a', silent: ['b'] }),
      step: why('of the 2 members that would be left 2 have to answer, and b do not'),
    },
    {
      reason: 'leaves a learner',
      of: view(['a', 'b', 'c'], { leader: 'b', learner: 'c' }),
      step: why('member c is still a learner'),
    },
  ])('of a member that $reason', ({ of, step }) => {
    expect(planLeave(of, 'a', ['c', 'b'])).toEqual(step);
  });

  it('goes on while a minority of what is left does not answer', () => {
    const five = view(['a', 'b', 'c', 'd', 'e'], { leader: 'b', silent: ['e'] });

    expect(planLeave(five, 'a', ['c'])).toMatchObject({ do: 'remove' });
  });
});
