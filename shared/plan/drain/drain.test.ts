import { describe, expect, it } from 'vitest';
import type { MachineDrainRule } from '../../kinds/index.ts';
import type { DrainPod } from './facts.ts';
import { drainMessage } from './message.ts';
import { type DrainOutcome, isDrained, planDrain } from './plan.ts';
import { type DrainFacts, judgePods, podKey } from './pods.ts';

const now = new Date('2026-01-01T00:00:10Z');

type Metadata = Partial<DrainPod['metadata']>;
const pod = (name: string, metadata: Metadata = {}, phase = 'Running'): DrainPod => ({
  metadata: { namespace: 'default', ...metadata, name },
  status: { phase },
});
const ofDaemonSet = (name: string) => ({ ownerReferences: [{ kind: 'DaemonSet', name, controller: true }] });
const leaving = (second: number) => ({ deletionTimestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString() });

const rule = (name: string, drain: MachineDrainRule['spec']['drain'], app: string): MachineDrainRule => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDrainRule',
  metadata: { name },
  spec: { drain, pods: [{ selector: { matchLabels: { app } } }] },
});

const facts: DrainFacts = {
  rules: [
    rule('a', { behavior: 'Drain', order: 5 }, 'late'),
    rule('b', { behavior: 'Skip' }, 'skipped'),
    rule('c', { behavior: 'WaitCompleted' }, 'job'),
    rule('d', { behavior: 'Skip' }, 'late'),
    rule('e', { behavior: 'Drain', order: -1 }, 'early'),
  ],
  namespaces: new Map([['default', {}]]),
  daemonSets: new Set(['default/there']),
  now,
};

const behaviour = (one: DrainPod, more: Partial<DrainFacts> = {}) => {
  const judged = judgePods([one], { ...facts, ...more });
  if ('problem' in judged) return judged.problem;
  return judged.verdicts.map(({ behavior, order }) => (order === 0 ? behavior : `${behavior} ${order}`)).join();
};

describe('the action of a drain for a pod', () => {
  it.each([
    { what: 'any pod', pod: pod('a'), does: 'Drain' },
    { what: 'a pod of a DaemonSet', pod: pod('a', ofDaemonSet('there')), does: 'Skip' },
    { what: 'a pod of a DaemonSet that is gone', pod: pod('a', ofDaemonSet('gone')), does: 'Drain' },
    { what: 'a finished pod of a DaemonSet', pod: pod('a', ofDaemonSet('there'), 'Failed'), does: 'Drain' },
    { what: 'a static pod', pod: pod('a', { annotations: { 'kubernetes.io/config.mirror': 'x' } }), does: 'Skip' },
    {
      what: 'a pod with the label skip',
      pod: pod('a', { labels: { 'cluster.x-k8s.io/drain': 'Skip' } }),
      does: 'Skip',
    },
    {
      what: 'a pod with the label wait-completed, whatever a rule says',
      pod: pod('a', { labels: { 'cluster.x-k8s.io/drain': 'wait-completed', app: 'skipped' } }),
      does: 'WaitCompleted',
    },
    {
      what: 'a pod with an invalid label',
      pod: pod('a', { labels: { 'cluster.x-k8s.io/drain': 'x' } }),
      does: 'Drain',
    },
    {
      what: 'a pod of two rules, of which the first by name applies',
      pod: pod('a', { labels: { app: 'late' } }),
      does: 'Drain 5',
    },
    { what: 'a pod of a rule that skips', pod: pod('a', { labels: { app: 'skipped' } }), does: 'Skip' },
    { what: 'a pod of a rule that waits', pod: pod('a', { labels: { app: 'job' } }), does: 'WaitCompleted' },
    { what: 'a pod that is being terminated', pod: pod('a', leaving(0)), does: 'Drain' },
  ])('$what: $does', ({ pod: one, does }) => {
    expect(behaviour(one)).toBe(does);
  });

  it('skips a terminating pod if the kubelet is unresponsive, counted in whole seconds', () => {
    expect(behaviour(pod('a', leaving(9)), { giveUpSeconds: 1 })).toBe('Drain');
    expect(behaviour(pod('a', leaving(8)), { giveUpSeconds: 1 })).toBe('Skip');
  });

  it('is an error if the namespace of a pod does not exist', () => {
    expect(behaviour(pod('a', { namespace: 'gone' }))).toContain('"Pod Namespace does not exist": gone/a');
  });
});

const planOf = (...pods: DrainPod[]) => {
  const judged = judgePods(pods, facts);
  if ('problem' in judged) throw new Error(judged.problem);
  const plan = planDrain(judged.verdicts);
  return Object.fromEntries(
    Object.entries(plan).flatMap(([key, list]: [string, readonly DrainPod[]]) =>
      list.length > 0 ? [[key, list.map(({ metadata }) => metadata.name).join()]] : [],
    ),
  );
};

describe('the order of a drain', () => {
  const early = pod('early', { labels: { app: 'early' } });
  const late = pod('late', { labels: { app: 'late' } });
  const job = pod('job', { labels: { app: 'job' } });

  it('evicts pods of the lowest order, by name, and lists later ones', () => {
    expect(planOf(late, pod('b'), pod('a'), job, early)).toEqual({
      evict: 'early',
      evictLater: 'a,b,late',
      awaitedLater: 'job',
    });
    expect(planOf(late, pod('b'), job)).toEqual({ evict: 'b', evictLater: 'late', awaited: 'job' });
  });

  it('continues when earlier pods are gone, not when they are terminating', () => {
    const going = pod('early', { labels: { app: 'early' }, ...leaving(5) });
    expect(planOf(going, pod('a'))).toEqual({ leaving: 'early', evictLater: 'a' });
    expect(planOf(late)).toEqual({ evict: 'late' });
  });

  it('has nothing to do if all pods stay', () => {
    expect(planOf(pod('a', ofDaemonSet('there')))).toEqual({});
  });
});

const outcome = (some: Partial<DrainOutcome>): DrainOutcome => ({
  leaving: [],
  evictLater: [],
  awaited: [],
  awaitedLater: [],
  refused: new Map(),
  ...some,
});
const pods = (...names: string[]) => names.map((name) => pod(name));

describe('the message of a drain', () => {
  it('names at most three pods and five reasons', () => {
    const budget =
      "Cannot evict pod as it would violate the pod's disruption budget. The budget web needs 3 healthy pods";
    const refused = new Map([
      [budget, pods('w1', 'w2', 'w3', 'w4', 'w5')],
      ...['1', '2', '3', '4'].map((n) => [`reason ${n}`, pods(`r${n}`)] as const),
      ['the sixth', pods('x', 'y')],
    ]);
    const some = outcome({ leaving: pods('l'), refused, awaited: pods('j'), evictLater: pods('a', 'b') });
    expect(drainMessage(some, '2026-01-01T00:00:00Z').split('\n')).toEqual([
      'Drain not completed yet (started at 2026-01-01T00:00:00Z):',
      '* Pod default/l: deletionTimestamp set, but still not removed from the Node',
      `* Pods default/w1, default/w2, default/w3, ... (2 more): c${budget.slice(1)}`,
      ...['1', '2', '3', '4'].map((n) => `* Pod default/r${n}: failed to evict Pod, reason ${n}`),
      '* 2 Pods with other issues',
      '* Pod default/j: waiting for completion',
      'After above Pods have been removed from the Node, the following Pods will be evicted: default/a, default/b',
    ]);
  });

  it('stays short however long the reasons are', () => {
    const long = outcome({ refused: new Map([...'abcdefgh'].map((c) => [c.repeat(5000), pods(c)])) });
    expect(drainMessage(long, 'T').length).toBeLessThan(6000);
  });
});

describe('a drain', () => {
  it('is finished once no pod is left to drain', () => {
    expect(isDrained(outcome({}))).toBe(true);
  });

  it.each([
    { what: 'is terminating', left: { leaving: pods('a') } },
    { what: 'is to be evicted later', left: { evictLater: pods('a') } },
    { what: 'must complete', left: { awaited: pods('a') } },
    { what: 'must complete later', left: { awaitedLater: pods('a') } },
    { what: 'cannot be evicted', left: { refused: new Map([['no', pods('a')]]) } },
  ])('is not finished while a pod $what', ({ left }) => {
    expect(isDrained(outcome(left))).toBe(false);
  });
});

describe('podKey', () => {
  it('contains the namespace and the name', () => {
    expect(podKey(pod('a', { namespace: 'other' }))).toBe('other/a');
  });
});
