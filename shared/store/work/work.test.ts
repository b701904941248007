import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seededNumbers } from '../../seeded-random.ts';
import type { ClusterRef, MachineRef } from '../../work/payloads.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { START_GRACE_MS } from './cluster-leases.ts';
import type { WorkStore } from './work.ts';
import { createWorkStore } from './work-store.ts';

const cluster: ClusterRef = { namespace: 'default', name: 'demo', uid: '7f0e4f0a-0001' };
const machine = (uid: string, clusterName = 'demo'): MachineRef => ({
  namespace: 'default',
  name: `machine-${uid}`,
  uid,
  clusterName,
  clusterUid: cluster.uid,
});

let database: TestDatabase;
let clock: ReturnType<typeof testClock>;
let work: WorkStore;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
const busyIn = async (name: string) => [...(await work.machinesInWork({ ...cluster, name })).busy];

beforeEach(async () => {
  clock = testClock();
  work = createWorkStore({ client: database.client, table: await database.makeTable(), clock });
});

describe('the work of a cluster', () => {
  it('counts touches and reports whether a running pass will see them', async () => {
    expect(await work.touch(cluster)).toEqual({ wanted: 1, leased: false });
    expect(await work.begin(cluster, 'pass-1', 60)).toEqual({ acquired: true, wanted: 1, attempts: 0 });
    expect(await work.touch(cluster)).toEqual({ wanted: 2, leased: true });
    clock.advance(60);
    expect(await work.touch(cluster)).toEqual({ wanted: 3, leased: false });
  });

  it('resets failed attempts after a change by others, but not when a pass requests another pass', async () => {
    for (const pass of ['pass-1', 'pass-2', 'pass-3']) {
      await work.touch(cluster);
      await work.begin(cluster, pass, 60);
      await work.release(cluster, pass, { failed: true });
    }
    await work.touch(cluster);
    expect((await work.get(cluster))?.attempts).toBe(3);
    expect(await work.touch(cluster, { isNews: true })).toEqual({ wanted: 5, leased: false });
    expect((await work.get(cluster))?.attempts).toBe(0);
  });

  it('skips to a number above all that were used, and continues from there', async () => {
    await work.touch(cluster);
    const { wanted } = await work.skip(cluster);
    expect(wanted).toBe(clock.now().getTime());
    expect(await work.skip(cluster)).toEqual({ wanted: wanted + 1, leased: false });
    await work.begin(cluster, 'pass-1', 60);
    expect(await work.touch(cluster)).toEqual({ wanted: wanted + 2, leased: true });
    expect((await work.listUnsettled()).map((item) => item.wanted)).toEqual([wanted + 2]);
  });

  it('counts the touches since a pass began', async () => {
    const unbegun = async () => (await work.get(cluster))?.unbegun;
    await work.touch(cluster);
    await work.skip(cluster);
    expect(await unbegun()).toBe(2);
    await work.begin(cluster, 'pass-1', 60);
    expect(await unbegun()).toBe(0);
    await work.touch(cluster);
    await work.begin(cluster, 'pass-2', 60);
    expect(await unbegun()).toBe(1);
  });

  it('gives the lease to one holder, which may begin again', async () => {
    await work.touch(cluster);
    expect((await work.begin(cluster, 'pass-1', 60)).acquired).toBe(true);
    expect(await work.begin(cluster, 'pass-2', 60)).toEqual({ acquired: false, wanted: 1, attempts: 0 });
    expect((await work.begin(cluster, 'pass-1', 60)).acquired).toBe(true);
  });

  it('gives an expired lease to the next holder, and refuses the old one', async () => {
    await work.begin(cluster, 'pass-1', 60);
    clock.advance(61);
    expect((await work.begin(cluster, 'pass-2', 60)).acquired).toBe(true);
    expect(await work.extend(cluster, 'pass-1', 60)).toBe(false);
    expect(await work.finish(cluster, 'pass-1', 0)).toMatchObject({ held: false });
    expect((await work.get(cluster))?.holder).toBe('pass-2');
  });

  it('keeps an extended lease', async () => {
    await work.begin(cluster, 'pass-1', 60);
    clock.advance(50);
    expect(await work.extend(cluster, 'pass-1', 60)).toBe(true);
    clock.advance(50);
    expect((await work.begin(cluster, 'pass-2', 60)).acquired).toBe(false);
  });

  it('reports a touch during a pass at the end of the pass', async () => {
    await work.touch(cluster);
    const { wanted: seen } = await work.begin(cluster, 'pass-1', 60);
    await work.touch(cluster);
    expect(await work.finish(cluster, 'pass-1', seen)).toEqual({ wanted: 2, attempts: 0, held: true });
    expect(await work.get(cluster)).toMatchObject({ wanted: 2, done: 1 });
    // The response was lost, so the step runs again.
    expect(await work.finish(cluster, 'pass-1', seen)).toEqual({ wanted: 2, attempts: 0, held: false });
  });

  it('counts failed passes until one finishes', async () => {
    await work.touch(cluster);
    for (const attempt of [1, 2]) {
      await work.begin(cluster, `pass-${attempt}`, 60);
      const ended = await work.release(cluster, `pass-${attempt}`, { failed: true });
      expect(ended).toEqual({ wanted: 1, attempts: attempt, held: true });
    }
    expect(await work.begin(cluster, 'pass-3', 60)).toMatchObject({ acquired: true, attempts: 2 });
    await work.finish(cluster, 'pass-3', 1);
    expect((await work.get(cluster))?.attempts).toBe(0);
  });

  it('is stored by the uid of the cluster, and can be removed', async () => {
    await work.touch(cluster);
    await work.touch({ ...cluster, uid: 'another' });
    await work.remove(cluster);
    expect(await work.get(cluster)).toBeUndefined();
    expect(await work.get({ ...cluster, uid: 'another' })).toMatchObject({ wanted: 1 });
  });
});

describe('the sweep', () => {
  const dueAfter = async (seconds: number) => {
    clock.advance(seconds);
    return (await work.due(clock.now())).map((item) => item.cluster.uid);
  };
  const grace = START_GRACE_MS / 1000;

  it('finds a touch whose start was lost, after a grace period', async () => {
    await work.touch(cluster);
    expect(await dueAfter(grace - 1)).toEqual([]);
    expect(await dueAfter(1)).toEqual([cluster.uid]);
  });

  it('finds a pass that died, once its lease has ended', async () => {
    await work.touch(cluster);
    await work.begin(cluster, 'pass-1', 60);
    await work.touch(cluster);
    expect(await dueAfter(59)).toEqual([]);
    expect(await dueAfter(1)).toEqual([cluster.uid]);
  });

  it('finds a pass whose successor was never started', async () => {
    await work.touch(cluster);
    await work.begin(cluster, 'pass-1', 600);
    await work.touch(cluster);
    await work.finish(cluster, 'pass-1', 1);
    expect(await dueAfter(grace)).toEqual([cluster.uid]);
  });

  it('returns to a failed pass at the time that it requested', async () => {
    await work.touch(cluster);
    await work.begin(cluster, 'pass-1', 600);
    await work.release(cluster, 'pass-1', { failed: true, dueAt: new Date(clock.now().getTime() + 120_000) });
    expect(await dueAfter(119)).toEqual([]);
    expect(await dueAfter(1)).toEqual([cluster.uid]);
  });

  it('ignores a settled cluster, or waits until the time that the pass requested', async () => {
    await work.touch(cluster);
    await work.begin(cluster, 'pass-1', 60);
    await work.finish(cluster, 'pass-1', 1);
    expect(await dueAfter(86_400)).toEqual([]);
    await work.begin(cluster, 'pass-2', 60);
    await work.finish(cluster, 'pass-2', 1, { dueAt: new Date(clock.now().getTime() + 300_000) });
    expect(await work.listUnsettled()).toEqual([]);
    expect(await dueAfter(300)).toEqual([cluster.uid]);
  });

  it('lists unsettled clusters of all shards', async () => {
    const uids = Array.from({ length: 20 }, (_, index) => `uid-${index}`);
    await Promise.all(uids.map((uid) => work.touch({ ...cluster, name: uid, uid })));
    const listed = (await work.listUnsettled()).map((item) => item.cluster.uid);
    expect(listed.sort()).toEqual(uids.sort());
  });
});

describe('leases of machines', () => {
  it('go to one holder at a time, and can be released', async () => {
    expect(await work.beginMachine(machine('a'), 'provision', 60)).toEqual({ acquired: true });
    expect(await work.beginMachine(machine('a'), 'remove', 60)).toEqual({ acquired: false });
    expect(await work.beginMachine(machine('a'), 'provision', 60)).toEqual({ acquired: true });
    expect(await work.releaseMachine(machine('a'), 'remove')).toBe(false);
    expect(await work.releaseMachine(machine('a'), 'provision')).toBe(true);
    expect(await work.beginMachine(machine('a'), 'remove', 60)).toEqual({ acquired: true });
  });

  it('can be taken over once they have expired, and are refused to the old holder', async () => {
    await work.beginMachine(machine('a'), 'first', 60);
    clock.advance(60);
    expect(await work.beginMachine(machine('a'), 'second', 60)).toEqual({ acquired: true });
    expect(await work.extendMachine(machine('a'), 'first', 60)).toBe(false);
    expect(await work.extendMachine(machine('a'), 'second', 120)).toBe(true);
    clock.advance(100);
    expect(await busyIn('demo')).toEqual(['a']);
  });

  it('remember what each holder has removed, until they are released', async () => {
    expect(await work.recordRemoval(machine('a'), 'first', 'uid-0')).toBe(false);
    await work.beginMachine(machine('a'), 'first', 60);
    expect(await work.removalBy(machine('a'), 'first')).toBeUndefined();
    expect(await work.recordRemoval(machine('a'), 'first', 'uid-1')).toBe(true);
    expect(await work.recordRemoval(machine('a'), 'first', 'uid-2')).toBe(true);
    await work.extendMachine(machine('a'), 'first', 60);
    expect(await work.removalBy(machine('a'), 'first')).toBe('uid-2');

    clock.advance(60);
    await work.beginMachine(machine('a'), 'second', 60);
    expect(await work.removalBy(machine('a'), 'second')).toBeUndefined();
    await work.recordRemoval(machine('a'), 'second', 'uid-3');
    expect(await work.removalBy(machine('a'), 'second')).toBe('uid-3');
    expect(await work.removalBy(machine('a'), 'first')).toBe('uid-2');
    expect(await busyIn('demo')).toEqual(['a']);

    await work.releaseMachine(machine('a'), 'second');
    await work.beginMachine(machine('a'), 'second', 60);
    expect(await work.removalBy(machine('a'), 'second')).toBeUndefined();
  });

  it('show which machines of a cluster are being processed', async () => {
    await work.touch(cluster);
    for (const uid of ['a', 'b', 'c']) await work.beginMachine(machine(uid), uid, uid === 'b' ? 10 : 60);
    await work.beginMachine(machine('d', 'other'), 'd', 60);
    clock.advance(10);
    await work.removeMachine(machine('c'));
    expect(await busyIn('demo')).toEqual(['a']);
    expect(await busyIn('none')).toEqual([]);
  });
});

describe('no request is lost', () => {
  /** Begins a pass, waits for a random time and finishes it. Starts the next pass exactly when the workflow would. */
  const runner = (next: () => number) => {
    const started = new Set<string>();
    const running: Promise<void>[] = [];
    let seenByFinished = 0;
    const start = (wanted: number): void => {
      const holder = `${cluster.uid}-${wanted}`;
      if (started.has(holder)) return;
      started.add(holder);
      running.push(pass(holder));
    };
    const pass = async (holder: string): Promise<void> => {
      const { acquired, wanted: seen } = await work.begin(cluster, holder, 600);
      if (!acquired) return;
      for (let turns = Math.floor(next() * 20); turns > 0; turns -= 1) await clock.sleep(0);
      const { wanted } = await work.finish(cluster, holder, seen);
      seenByFinished = Math.max(seenByFinished, seen);
      if (wanted > seen) start(wanted);
    };
    const settle = async (): Promise<number> => {
      for (let index = 0; index < running.length; index += 1) await running[index];
      return seenByFinished;
    };
    return { start, settle };
  };

  it.each([1, 2, 3, 4, 5])('with 64 concurrent touches and passes in between (seed %i)', async (seed) => {
    const next = seededNumbers(seed);
    const passes = runner(next);
    const touches = Array.from({ length: 64 }, async () => {
      for (let turns = Math.floor(next() * 100); turns > 0; turns -= 1) await clock.sleep(0);
      const { wanted, leased } = await work.touch(cluster);
      if (!leased) passes.start(wanted);
    });
    await Promise.all(touches);
    expect(await passes.settle()).toBe(64);
    expect(await work.get(cluster)).toMatchObject({ wanted: 64, done: 64, holder: undefined });
    expect(await work.listUnsettled()).toEqual([]);
  });
});
