import { expect, it } from 'vitest';
import { LEASE_SECONDS } from '../../../functions/cluster/objects/begin.ts';
import { nextPass } from '../../../functions/cluster/objects/finish/next-pass.ts';
import { clusterLeases, START_GRACE_MS } from '../../../shared/store/work/cluster-leases.ts';
import { createTouch } from '../../../shared/store/work/executions.ts';
import type { StoredWork } from '../../../shared/store/work/work-item.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';
import { explore, type Play, type Stage, type StepOf } from './explore.ts';
import { clientOf, makeMemoryTable, type TableOptions } from './memory-table.ts';

const CLUSTER: ClusterRef = { namespace: 'default', name: 'one', uid: 'u' };

interface Scene {
  /** The number of changes that users have made. */
  desired: number;
  /** The number of changes that the last completed pass has seen. */
  converged: number;
  started: string[];
}

/** Users who each change the cluster once and touch it, and the resulting passes, all with the real code. */
const users =
  (count: number, sweeps: { ends: number; needed: number }, options: TableOptions = {}) =>
  ({ begin }: Stage): Play => {
    const table = makeMemoryTable(options);
    const scene: Scene = { desired: 0, converged: 0, started: [] };
    /** The end of the lease of each running pass. */
    const leases = new Map<string, number>();
    let now = Date.parse('2030-01-01T00:00:00Z');
    const clock = { now: () => new Date(now), sleep: async () => {} };
    const at: StepOf = async (_, act) => act();

    const systemOf = (step: StepOf) => {
      const client = clientOf((command) => step(command.constructor.name, () => table.run(command)));
      const work = clusterLeases({ client, table: 'objects', clock });
      const executions = {
        startConverge: (_: ClusterRef, wanted: number) =>
          step('StartExecution', () => {
            const holder = `${CLUSTER.uid}-${wanted}`;
            if (scene.started.includes(holder)) return false;
            scene.started.push(holder);
            begin(`pass ${wanted}`, (own) => pass(own, wanted, holder));
            return true;
          }),
      };
      return { work, touch: createTouch({ work, executions }) };
    };
    const pass = async (step: StepOf, wanted: number, holder: string): Promise<void> => {
      const { work, touch } = systemOf(step);
      const until = now + LEASE_SECONDS * 1000;
      const begun = await work.begin(CLUSTER, holder, LEASE_SECONDS);
      if (!begun.acquired) return;
      leases.set(holder, until);
      const seen = await step('reads what is desired', () => scene.desired);
      await step('carries it out', () => {
        scene.converged = Math.max(scene.converged, seen);
      });
      leases.delete(holder);
      const end = await work.finish(CLUSTER, holder, begun.wanted);
      await nextPass({ touch }, { cluster: CLUSTER, wanted, holder, seen: begun.wanted }, end, 0);
    };
    for (let user = 0; user < count; user += 1)
      begin('user', async (step) => {
        await step('changes what is desired', () => {
          scene.desired += 1;
        });
        await systemOf(step).touch(CLUSTER, { isNews: true });
      });

    const item = () => table.items()[0] as unknown as StoredWork | undefined;
    /** Simulates sweeps while nothing else runs. */
    const sweep = async (): Promise<void> => {
      now += LEASE_SECONDS * 1000 + START_GRACE_MS;
      const due = item();
      if (due?.dueShard === undefined || (due.dueAt ?? 0) > now) return;
      const before = scene.started.length;
      const { touch, work } = systemOf(at);
      await touch(CLUSTER);
      for (const holder of scene.started.slice(before)) {
        const { wanted, acquired } = await work.begin(CLUSTER, holder, LEASE_SECONDS);
        if (acquired) scene.converged = scene.desired;
        await work.finish(CLUSTER, holder, wanted);
      }
    };
    return {
      state: () => JSON.stringify([scene, now, item()]),
      judge: () => {
        const { wanted = 0, done = 0, holder, dueShard } = item() ?? {};
        const atWork = [...leases.values()].filter((until) => until > now).length;
        return [
          ...(atWork > 1 ? [`${atWork} passes have the lease`] : []),
          ...(done > wanted ? [`done ${done} is more than wanted ${wanted}`] : []),
          ...(holder !== undefined && dueShard === undefined
            ? ['a lease is not in the index that the sweep reads']
            : []),
        ];
      },
      judgeEnd: async (crashed) => {
        const isDone = scene.converged === scene.desired;
        sweeps.ends += 1;
        // A user who crashed before the touch has left a pledge, which another protocol covers.
        const isAsked = (item()?.wanted ?? 0) >= scene.desired;
        if (isDone || !isAsked) return [];
        sweeps.needed += 1;
        if (crashed === 0 && now === Date.parse('2030-01-01T00:00:00Z')) return ['a wish was lost although nobody was'];
        await sweep();
        return scene.converged === scene.desired ? [] : ['a wish was lost, and the sweep does not find it'];
      },
      passTime: () => {
        now += (LEASE_SECONDS + 1) * 1000;
      },
    };
  };

it('no pass that two users request is lost, regardless of the order of users and passes and of a crash', async () => {
  const sweeps = { ends: 0, needed: 0 };
  const found = await explore(users(2, sweeps), { crashes: 1 });
  expect(found.problems).toEqual([]);
  // Both occur: runs that end without the sweep, and runs that need it.
  expect(sweeps.needed).toBeGreaterThan(0);
  expect(sweeps.ends - sweeps.needed).toBeGreaterThan(0);
  console.log(
    `work: ${found.states} states, at most ${found.depth} steps, ${sweeps.needed} of ${sweeps.ends} ends need the sweep`,
  );
});

it('catches a build whose writes have no condition', async () => {
  const { problems } = await explore(users(2, { ends: 0, needed: 0 }, { isUnconditional: true }), { crashes: 1 });
  expect(problems).toContainEqual(expect.stringContaining('2 passes have the lease'));
});
