import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../../../shared/kube-api/registry/create-registry.ts';
import type { ResourceDefinition } from '../../../../../shared/kube-api/resource.ts';
import { createMemoryStorage } from '../../../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../../../shared/random.ts';
import { testClock } from '../../../../../shared/store/test-table.ts';
import { evict } from '../eviction.ts';
import { daemonSet, deployment, node, pod, podDisruptionBudget } from '../kinds.ts';
import type { Node, Pod } from '../objects.ts';
import { WORKLOAD_KINDS } from '../served-kinds.ts';
import { type Budget, type DaemonSet, type Deployment, isPodReady } from '../workloads.ts';
import { reconcileWorkloads } from './reconcile-workloads.ts';

const CONTROL_PLANE = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'web:1' }] } };
const selector = { matchLabels: { app: 'web' } };
const meta = (name: string) => ({ name, namespace: 'default' });

const world = async () => {
  const clock = testClock();
  const registry = createRegistry({
    resources: WORKLOAD_KINDS,
    storage: createMemoryStorage(),
    clock,
    random: systemRandom,
  });
  const objects = createObjectClient(registry);
  const put = <T extends KubeObject>(kind: ResourceDefinition<T>, object: Omit<T, 'apiVersion' | 'kind'>) =>
    objects.ensure<T>(kind, {
      apiVersion: kind.group === '' ? 'v1' : `${kind.group}/v1`,
      kind: kind.kind,
      ...object,
    } as T);
  const addNode = (name: string, { ready = 'True', spec = {} as Node['spec'] } = {}) =>
    put<Node>(node, {
      metadata: { name },
      spec,
      status: { conditions: [{ type: 'Ready', status: ready, reason: '', message: '', lastTransitionTime: '' }] },
    } as Node);
  /** Repeats the run until it is stable, because each write of a controller triggers the next run of all. */
  const settle = async () => {
    for (let look = 0; look < 10; look += 1) await reconcileWorkloads(objects, clock.now(), systemRandom);
  };
  const pods = () => objects.list<Pod>(pod);
  return {
    objects,
    put,
    addNode,
    settle,
    pods,
    cordon: (name: string) =>
      objects.mutate<Node>(node, { namespace: '', name }, (one) => ({ ...one, spec: { unschedulable: true } })),
    evict: ({ metadata: { namespace = '', name } }: Pod) =>
      evict({ registry, key: { namespace, name }, body: { metadata: { name } }, dryRun: false, now: clock.now() }),
    places: async () => (await pods()).map(({ spec }) => spec?.nodeName ?? 'nowhere').sort(),
    budget: async () => (await objects.get<Budget>(podDisruptionBudget, meta('web')))?.status,
  };
};

describe('a pod in a simulated workload cluster', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world();
    await w.addNode('cp', { spec: { taints: [CONTROL_PLANE] } });
    await w.addNode('a');
    await w.addNode('b');
  });

  it('is placed on one of the nodes that it may run on, evenly, and becomes ready', async () => {
    await w.put<Deployment>(deployment, { metadata: meta('web'), spec: { replicas: 4, selector, template } });
    await w.settle();
    expect(await w.places()).toEqual(['a', 'a', 'b', 'b']);
    expect((await w.pods()).every(isPodReady)).toBe(true);
    const found = await w.objects.get<Deployment>(deployment, meta('web'));
    expect(found?.status).toMatchObject({ replicas: 4, updatedReplicas: 4, availableReplicas: 4 });
  });

  it('moves to another node when it is evicted, as far as its budget allows', async () => {
    await w.put<Deployment>(deployment, { metadata: meta('web'), spec: { replicas: 2, selector, template } });
    await w.put<Budget>(podDisruptionBudget, { metadata: meta('web'), spec: { selector, maxUnavailable: 1 } });
    await w.settle();
    expect(await w.budget()).toMatchObject({ disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 });
    await w.cordon('a');
    const [first, second] = await w.pods();
    await w.evict(first as Pod);
    await expect(w.evict(second as Pod)).rejects.toMatchObject({ code: 429 });
    await w.settle();
    expect(await w.budget()).toMatchObject({ disruptionsAllowed: 1, currentHealthy: 2 });
    for (const one of (await w.pods()).filter(({ spec }) => spec?.nodeName === 'a')) await w.evict(one);
    await w.settle();
    expect(await w.places()).toEqual(['b', 'b']);
  });

  it('stays pending if no node accepts it, and its budget counts that', async () => {
    await w.cordon('a');
    await w.cordon('b');
    await w.put<Deployment>(deployment, { metadata: meta('web'), spec: { replicas: 1, selector, template } });
    await w.put<Budget>(podDisruptionBudget, { metadata: meta('web'), spec: { selector, minAvailable: '50%' } });
    await w.settle();
    const [one] = await w.pods();
    expect([one?.spec?.nodeName, one?.status?.phase]).toEqual([undefined, 'Pending']);
    expect(await w.budget()).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1 });
  });

  it('of a DaemonSet runs on each node that it tolerates, cordoned or not', async () => {
    await w.cordon('a');
    await w.put<DaemonSet>(daemonSet, { metadata: meta('agent'), spec: { selector, template } });
    await w.settle();
    expect(await w.places()).toEqual(['a', 'b']);
    const tolerations = [{ key: CONTROL_PLANE.key, operator: 'Exists' }];
    await w.objects.mutate<DaemonSet>(daemonSet, meta('agent'), (current) => ({
      ...current,
      spec: { ...current.spec, template: { ...template, spec: { ...template.spec, tolerations } } },
    }));
    await w.settle();
    expect(await w.places()).toEqual(['a', 'b', 'cp']);
    const found = await w.objects.get<DaemonSet>(daemonSet, meta('agent'));
    expect(found?.status).toMatchObject({ desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberReady: 3 });
  });

  it('of an old template is replaced when one of the new template is ready', async () => {
    await w.put<Deployment>(deployment, { metadata: meta('web'), spec: { replicas: 2, selector, template } });
    await w.settle();
    const before = new Set((await w.pods()).map(({ metadata }) => metadata.uid));
    await w.objects.mutate<Deployment>(deployment, meta('web'), (current) => ({
      ...current,
      spec: { ...current.spec, template: { ...template, spec: { containers: [{ name: 'c', image: 'web:2' }] } } },
    }));
    await w.settle();
    const after = await w.pods();
    expect(after.map(({ spec }) => spec?.containers?.[0]?.image)).toEqual(['web:2', 'web:2']);
    expect(after.some(({ metadata }) => before.has(metadata.uid))).toBe(false);
  });

  it('neither starts nor ends while the kubelet is unresponsive', async () => {
    await w.addNode('c', { ready: 'Unknown' });
    const spec = { nodeName: 'c', containers: [] };
    await w.put<Pod>(pod, { metadata: meta('x'), spec, status: { phase: 'Running' } });
    await w.objects.delete(pod, meta('x'));
    await w.settle();
    expect((await w.pods()).map(({ metadata }) => metadata.deletionGracePeriodSeconds)).toEqual([30]);
  });
});
