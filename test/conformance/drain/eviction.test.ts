import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import { startRealWorkload } from '../addons/workload.ts';
import {
  addBudget,
  addPod,
  BUDGETS,
  type JudgedCluster,
  MERGE,
  must,
  PODS,
  removeAll,
  startSimulatedWorkload,
} from './judged-cluster.ts';

/**
 * Sends the same evictions to a kube-apiserver and to a simulated cluster. Needs KUBEBUILDER_ASSETS, which `npm run
 * conformance` sets.
 */
const assets = process.env.KUBEBUILDER_ASSETS;

// biome-ignore lint/suspicious/noExplicitAny: the answers of all endpoints.
type Body = any;

const evict = async (cluster: JudgedCluster, name: string, more: object = {}) => {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'default' }, ...more };
  const { code, body } = await cluster.send('POST', `${PODS}/${name}/eviction`, eviction);
  const { status, message, reason, details } = body as Body;
  return { code, status, message, reason, causes: details?.causes, retry: details?.retryAfterSeconds };
};

/** The state of a pod after an eviction, without values that differ between runs. */
const look = async (cluster: JudgedCluster, name: string) => {
  const { code, body } = await cluster.send('GET', `${PODS}/${name}`);
  const { metadata, status } = body as Body;
  if (code !== 200) return { code };
  const target = status.conditions?.find(({ type }: Body) => type === 'DisruptionTarget');
  return {
    code,
    leaving: metadata.deletionTimestamp !== undefined,
    grace: metadata.deletionGracePeriodSeconds,
    target: target && [target.status, target.reason, target.message],
  };
};

const spent = async (cluster: JudgedCluster) => {
  const { disruptionsAllowed, disruptedPods } = ((await cluster.send('GET', `${BUDGETS}/web`)).body as Body).status;
  return { disruptionsAllowed, disrupted: Object.keys(disruptedPods ?? {}) };
};

const tight = { disruptionsAllowed: 0, currentHealthy: 3, desiredHealthy: 3 };

/** Each story runs on both clusters; the results must be equal. */
const STORIES: readonly { what: string; tell(cluster: JudgedCluster): Promise<unknown> }[] = [
  {
    what: 'a pod without a budget, its grace period, and how it is shortened',
    tell: async (cluster) => {
      await addPod(cluster, 'a', { spec: { terminationGracePeriodSeconds: 60 } });
      const told: unknown[] = [await evict(cluster, 'a'), await look(cluster, 'a')];
      for (const gracePeriodSeconds of [10, 20]) {
        const { code } = await cluster.send('DELETE', `${PODS}/a`, { gracePeriodSeconds });
        told.push(code, await look(cluster, 'a'));
      }
      told.push((await cluster.send('DELETE', `${PODS}/a?gracePeriodSeconds=0`)).code, await look(cluster, 'a'));
      return [...told, await evict(cluster, 'a')];
    },
  },
  {
    what: 'a grace period of its own',
    tell: async (cluster) => {
      await addPod(cluster, 'a');
      return [await evict(cluster, 'a', { deleteOptions: { gracePeriodSeconds: 1 } }), await look(cluster, 'a')];
    },
  },
  {
    what: 'a pod that has no node',
    tell: async (cluster) => {
      const spec = { containers: [{ name: 'c', image: 'web' }] };
      await must(cluster, 'POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });
      return [await evict(cluster, 'a'), await look(cluster, 'a')];
    },
  },
  {
    what: 'a budget with nothing to spare',
    tell: async (cluster) => {
      await addPod(cluster, 'a');
      await addBudget(cluster, 'web', tight);
      return [await evict(cluster, 'a'), await look(cluster, 'a')];
    },
  },
  {
    what: 'a budget that nobody has looked at',
    tell: async (cluster) => {
      await addPod(cluster, 'a');
      await addBudget(cluster, 'web');
      return evict(cluster, 'a');
    },
  },
  {
    what: 'a budget that could not be counted',
    tell: async (cluster) => {
      await addPod(cluster, 'a');
      const conditions = [
        {
          type: 'DisruptionAllowed',
          status: 'False',
          reason: 'SyncFailed',
          message: 'no scale',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ];
      await addBudget(cluster, 'web', { ...tight, conditions });
      return evict(cluster, 'a');
    },
  },
  {
    what: 'a budget that is spent by one pod, and a dry run',
    tell: async (cluster) => {
      await addPod(cluster, 'a');
      await addPod(cluster, 'b');
      await addBudget(cluster, 'web', { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2 });
      return [
        await evict(cluster, 'a', { deleteOptions: { dryRun: ['All'] } }),
        await spent(cluster),
        await look(cluster, 'a'),
        await evict(cluster, 'a'),
        await spent(cluster),
        await evict(cluster, 'b'),
        await evict(cluster, 'a'),
      ];
    },
  },
  ...(['Succeeded', 'Failed', 'Pending'] as const).map((phase) => ({
    what: `a pod that is ${phase}`,
    tell: async (cluster: JudgedCluster) => {
      await addPod(cluster, 'a', { phase });
      await addBudget(cluster, 'web', tight);
      return [await evict(cluster, 'a'), await look(cluster, 'a'), await spent(cluster)];
    },
  })),
  ...[
    { healthy: 3, spec: {} },
    { healthy: 2, spec: {} },
    { healthy: 2, spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
    { healthy: 2, spec: { unhealthyPodEvictionPolicy: 'IfHealthyBudget' } },
  ].map(({ healthy, spec }) => ({
    what: `an unready pod beside ${healthy} ready ones, ${JSON.stringify(spec)}`,
    tell: async (cluster: JudgedCluster) => {
      await addPod(cluster, 'a', { ready: 'False' });
      await addBudget(cluster, 'web', { ...tight, currentHealthy: healthy }, spec);
      return [await evict(cluster, 'a'), await look(cluster, 'a'), await spent(cluster)];
    },
  })),
  {
    what: 'a budget for all pods, and one for none',
    tell: async (cluster) => {
      await addPod(cluster, 'a');
      await addBudget(cluster, 'none', tight, { selector: undefined });
      await addBudget(cluster, 'web', tight, { selector: {} });
      return evict(cluster, 'a');
    },
  },
  {
    what: 'two budgets',
    tell: async (cluster) => {
      await addPod(cluster, 'a');
      await addBudget(cluster, 'web', tight);
      await addBudget(cluster, 'other', tight);
      return evict(cluster, 'a');
    },
  },
  {
    what: 'an eviction of another name',
    tell: async (cluster) => {
      await addPod(cluster, 'a');
      return evict(cluster, 'a', { metadata: { name: 'b', namespace: 'default' } });
    },
  },
  {
    what: 'a pod that someone holds',
    tell: async (cluster) => {
      await addPod(cluster, 'a', { metadata: { finalizers: ['example.com/hold'] } });
      const told = [await evict(cluster, 'a'), await look(cluster, 'a')];
      await cluster.send('DELETE', `${PODS}/a`, { gracePeriodSeconds: 0 });
      told.push((await look(cluster, 'a')) as never);
      await must(cluster, 'PATCH', `${PODS}/a`, { metadata: { finalizers: null } }, MERGE);
      return [...told, await look(cluster, 'a')];
    },
  },
];

describe.skipIf(!assets)('an eviction', () => {
  let real: JudgedCluster;
  let ours: JudgedCluster;
  beforeAll(async () => {
    real = await startRealWorkload(String(assets));
    ours = await startSimulatedWorkload();
  }, LIMIT);
  afterAll(async () => {
    await ours?.stop();
    await real?.stop();
  }, LIMIT);
  afterEach(async () => {
    for (const cluster of [real, ours]) await removeAll(cluster);
  });

  it.each(STORIES)(
    'has the same result with a kube-apiserver and with a simulated cluster: $what',
    async ({ tell }) => {
      const theirs = await tell(real);
      expect(await tell(ours)).toEqual(theirs);
    },
  );
});
