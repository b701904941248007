import { describe, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import {
  ALARM_LIST,
  ENDPOINT_STATUS,
  MEMBER_LIST,
  memberRemove,
  moveLeader,
} from '../../../shared/workload/etcdctl.ts';
import type { Answer } from './normalise.ts';
import { makePlayer } from './play.ts';
import { skips, startRealEtcd } from './real.ts';
import { startSimulatedEtcd } from './simulated.ts';
import type { StartEtcd } from './subject.ts';

type Story = [what: string, answer: Answer | string | undefined][];

/** Runs all commands that Windlass sends to etcd, in healthy and unhealthy states. */
const tell = async (start: StartEtcd): Promise<{ story: Story; shapes: ReadonlyMap<string, string[]> }> => {
  const etcd = await start(['a', 'b', 'c']);
  const player = makePlayer(etcd);
  const story: Story = [];
  const ask = async (what: string, node: string, args: readonly string[]): Promise<void> =>
    void story.push([what, await player.ask(node, args)]);
  const add = async (what: string, name: string): Promise<void> => void story.push([what, await etcd.addLearner(name)]);
  const look = async (when: string, node: string): Promise<void> => {
    await ask(`members ${when}`, node, MEMBER_LIST);
    await ask(`status ${when}`, node, ENDPOINT_STATUS);
    await ask(`alarms ${when}`, node, ALARM_LIST);
  };
  try {
    await player.meet('a');
    await player.lead('a');
    await look('of three', 'b');
    await ask('move the leader by a follower', 'b', moveLeader(player.idOf('c')));
    await ask('move the leader to a stranger', 'a', moveLeader('deadbeef'));
    await ask('move the leader', 'a', moveLeader(player.idOf('b')));
    await ask('remove a stranger', 'a', memberRemove('deadbeef'));
    await ask('status after the move', 'c', ENDPOINT_STATUS);

    await add('add a learner', 'd');
    await player.meet('a', 'd');
    await look('with one that has not started', 'a');
    await ask('move the leader to a learner', 'b', moveLeader(player.idOf('d')));
    await add('add a second learner', 'e');
    await ask('remove a learner', 'c', memberRemove(player.idOf('d')));
    await ask('remove it again', 'c', memberRemove(player.idOf('d')));

    await etcd.kill('c');
    await look('with one dead of three', 'a');
    await ask('remove one that lives, with one dead', 'a', memberRemove(player.idOf('b')));
    await ask('move the leader to the dead', 'b', moveLeader(player.idOf('c')));
    await add('add a learner, with one dead', 'f');
    await ask('remove the dead', 'b', memberRemove(player.idOf('c')));
    await etcd.fill('b');
    await look('of two, one of them full', 'a');

    await etcd.kill('a');
    await ask('members without a quorum', 'b', MEMBER_LIST);
    await ask('remove without a quorum', 'b', memberRemove(player.idOf('a')));
    return { story, shapes: player.shapes() };
  } finally {
    await etcd.stop();
  }
};

describe.skipIf(skips)('the etcdctl of the simulated machines', { timeout: LIMIT }, () => {
  it('responds like the real one with real members: texts, exit codes, and the form of lists', async () => {
    const real = await tell(startRealEtcd);
    const simulated = await tell(startSimulatedEtcd);

    expect(Object.fromEntries(simulated.story)).toEqual(Object.fromEntries(real.story));
    for (const [command, shape] of simulated.shapes)
      expect(real.shapes.get(command)).toEqual(expect.arrayContaining(shape));
  });
});
