import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../shared/store/test-table.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { MEMBER_LIST } from '../../../shared/workload/etcdctl.ts';
import { makeMachines } from './machines.ts';
import { makePlayer } from './play.ts';
import { skips, startRealEtcd } from './real.ts';
import { startSimulatedEtcd } from './simulated.ts';

const SUBJECTS = [
  { etcd: 'a real etcd', start: startRealEtcd },
  { etcd: 'the etcd of the simulated machines', start: startSimulatedEtcd },
];

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.stop());

describe.skipIf(skips).each(SUBJECTS)('control plane machines leave $etcd', { timeout: LIMIT }, ({ start }) => {
  /** Starts members with these names, of which the first is the leader, and creates their machines. */
  const world = async (...names: string[]) => {
    const etcd = await start(names);
    const machines = await makeMachines(database, etcd, names);
    const player = makePlayer(etcd);
    const [first = ''] = names;
    await player.meet(first);
    await player.lead(first);
    const members = async (node: string): Promise<string[]> => {
      const { said } = await player.ask(node, MEMBER_LIST);
      return (said as { name: string }[]).map(({ name }) => name);
    };
    return { etcd, machines, player, members };
  };

  it('from three to one: the leader hands over, and each is removed before its machine is deleted', async () => {
    const { etcd, machines, members } = await world('a', 'b', 'c');
    try {
      expect(await machines.leave('a')).toBeUndefined();
      expect(await members('b')).toEqual(['b', 'c']);
      await etcd.kill('a');
      await etcd.settle();
      expect(await machines.leave('b')).toBeUndefined();
      expect(await members('c')).toEqual(['c']);
      await etcd.kill('b');
      expect(await machines.leave('c')).toBe('etcd member c stays: it is the last member of etcd');
      const events = await machines.events();
      expect(events).toContain('EtcdMemberRemoved: Removed member a from etcd');
      expect(events).toContain('EtcdMemberRemoved: Removed member b from etcd');
      expect(events).toContain('EtcdLeaderMoved: Moved the leader of etcd from a to c');
    } finally {
      await etcd.stop();
    }
  });

  it('while one is the leader, if its own pod, which would have to move the leader, does not respond', async () => {
    const { etcd, machines, members } = await world('a', 'b', 'c');
    try {
      await machines.silence('a');
      expect(await machines.leave('a')).toBeUndefined();
      await expect.poll(() => members('b'), { timeout: PATIENCE_SECONDS * 1000 }).toEqual(['b', 'c']);
      expect(await machines.events()).toEqual(['EtcdMemberRemoved: Removed member a from etcd']);
    } finally {
      await etcd.stop();
    }
  });

  it('from five to three although one is dead, but not from three while another one is dead', async () => {
    const { etcd, machines, members } = await world('a', 'b', 'c', 'd', 'e');
    try {
      await etcd.kill('e');
      expect(await machines.leave('a')).toBeUndefined();
      expect(await machines.leave('e')).toBeUndefined();
      expect(await members('b')).toEqual(['b', 'c', 'd']);
      await etcd.kill('a');
      await etcd.kill('d');
      expect(await machines.leave('b')).toBe(
        'etcd member b stays: 2 of the 2 remaining members must be healthy, but d does not answer',
      );
      expect(await members('b')).toEqual(['b', 'c', 'd']);
      expect(await machines.leave('d')).toBeUndefined();
    } finally {
      await etcd.stop();
    }
  });

  it('before they have started, and remove a member without a machine', async () => {
    const { etcd, machines, members } = await world('a', 'b', 'c');
    try {
      await machines.add('d');
      expect(await etcd.addLearner('d')).toBeUndefined();
      expect(await members('a')).toEqual(['', 'a', 'b', 'c']);
      expect(await machines.leave('c')).toMatch(/^etcd member c stays: member [0-9a-f]+ is still a learner$/);
      expect(await machines.leave('d')).toBeUndefined();
      expect(await members('a')).toEqual(['a', 'b', 'c']);

      expect(await etcd.addLearner('lost')).toBeUndefined();
      expect(await machines.leave('c')).toBeUndefined();
      expect(await members('a')).toEqual(['a', 'b']);
      expect((await machines.events()).join()).toMatch(/Removed member [0-9a-f]+, which has no machine, from etcd/);
    } finally {
      await etcd.stop();
    }
  });

  it('after others have joined as learners', async () => {
    const { etcd, machines, members } = await world('a');
    try {
      expect(await etcd.addLearner('b')).toBeUndefined();
      await etcd.start('b');
      await etcd.promote('b');
      await machines.add('b');
      await etcd.settle();
      expect(await machines.leave('a')).toBe(
        'etcd member a stays: no other control plane machine has all components in a healthy state',
      );
      await machines.observe('b');
      // If a busy computer delays etcd's response, the workflow retries.
      await expect
        .poll(() => machines.leave('a'), { timeout: PATIENCE_SECONDS * 1000, interval: 1000 })
        .toBeUndefined();
      expect(await members('b')).toEqual(['b']);
    } finally {
      await etcd.stop();
    }
  });

  it('but not while a remaining member has no space', async () => {
    const { etcd, machines } = await world('a', 'b', 'c');
    try {
      await etcd.fill('b');
      expect(await machines.leave('a')).toBe(
        'etcd member a stays: 2 of the 2 remaining members must be healthy, but b has the alarm NOSPACE',
      );
      expect(await machines.leave('b')).toBeUndefined();
    } finally {
      await etcd.stop();
    }
  });
});
