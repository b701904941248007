import { beforeEach, describe, expect, it } from 'vitest';
import { createTestServer } from '../../../../shared/kube-api/server/test-server.ts';
import { createMemoryStorage } from '../../../../shared/kube-api/storage/memory-storage.ts';
import { WORKLOAD_KINDS } from './served-kinds.ts';

const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

const world = async () => {
  const { call, advance } = await createTestServer({ resources: WORKLOAD_KINDS, storage: createMemoryStorage() });
  const addPod = async (name: string, { ready = 'True', phase = 'Running' } = {}) => {
    const metadata = { name, labels: { app: 'web' } };
    await call('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: 'n', containers: [] } });
    const status = { phase, conditions: [{ type: 'Ready', status: ready }] };
    await call('PATCH', `${PODS}/${name}/status`, { status }, { 'content-type': 'application/merge-patch+json' });
  };
  const addBudget = async (name: string, status: object | undefined, spec: object = {}) => {
    const selector = { matchLabels: { app: 'web' } };
    const kind = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' };
    await call('POST', BUDGETS, { ...kind, metadata: { name }, spec: { selector, ...spec } });
    if (!status) return;
    const body = { status: { observedGeneration: 1, expectedPods: 3, ...status } };
    await call('PATCH', `${BUDGETS}/${name}/status`, body, { 'content-type': 'application/merge-patch+json' });
  };
  const evict = (name: string, deleteOptions?: object) => {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'default' } };
    return call('POST', `${PODS}/${name}/eviction`, { ...eviction, deleteOptions });
  };
  return { call, advance, addPod, addBudget, evict };
};

const tight = { disruptionsAllowed: 0, currentHealthy: 3, desiredHealthy: 3 };
const BECAUSE = "Cannot evict pod as it would violate the pod's disruption budget.";

describe('the eviction of a pod', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world();
    await w.addPod('a');
  });

  it('uses the grace period of the pod, which can be shortened', async () => {
    expect(await w.evict('a')).toMatchObject({ code: 201, body: { kind: 'Status', status: 'Success' } });
    const { body: leaving } = await w.call('GET', `${PODS}/a`);
    expect(leaving.metadata).toMatchObject({
      deletionTimestamp: '2026-01-02T03:04:35Z',
      deletionGracePeriodSeconds: 30,
    });
    expect(leaving.status.conditions).toContainEqual(expect.objectContaining({ type: 'DisruptionTarget' }));
    await w.call('DELETE', `${PODS}/a`, { gracePeriodSeconds: 10 });
    await w.call('DELETE', `${PODS}/a`, { gracePeriodSeconds: 20 });
    expect((await w.call('GET', `${PODS}/a`)).body.metadata.deletionTimestamp).toBe('2026-01-02T03:04:15Z');
    await w.call('DELETE', `${PODS}/a?gracePeriodSeconds=0`);
    expect((await w.call('GET', `${PODS}/a`)).code).toBe(404);
    expect((await w.evict('a')).code).toBe(404);
  });

  it('uses the grace period in the request', async () => {
    await w.evict('a', { gracePeriodSeconds: 1 });
    expect((await w.call('GET', `${PODS}/a`)).body.metadata.deletionGracePeriodSeconds).toBe(1);
  });

  it('is refused if the budget does not allow it, with the name of the budget', async () => {
    await w.addBudget('web', tight);
    expect(await w.evict('a')).toMatchObject({
      code: 429,
      body: {
        reason: 'TooManyRequests',
        message: BECAUSE,
        details: {
          causes: [
            {
              reason: 'DisruptionBudget',
              message: 'The disruption budget web needs 3 healthy pods and has 3 currently',
            },
          ],
        },
      },
    });
    expect((await w.call('GET', `${PODS}/a`)).body.metadata.deletionTimestamp).toBeUndefined();
  });

  it('uses up the budget, once for each pod', async () => {
    await w.addPod('b');
    await w.addBudget('web', { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2 });
    expect((await w.evict('a', { dryRun: ['All'] })).code).toBe(201);
    expect((await w.evict('a')).code).toBe(201);
    const { body } = await w.call('GET', `${BUDGETS}/web`);
    expect(body.status).toMatchObject({ disruptionsAllowed: 0, disruptedPods: { a: '2026-01-02T03:04:05Z' } });
    expect((await w.evict('b')).code).toBe(429);
    expect((await w.evict('a')).code).toBe(201);
  });

  it('is deferred while the budget has not been evaluated', async () => {
    await w.addBudget('web', undefined);
    const { code, body } = await w.evict('a');
    expect([code, body.details.retryAfterSeconds]).toEqual([429, 10]);
    expect(body.details.causes[0].message).toBe('The disruption budget web is still being processed by the server.');
  });

  it.each([
    { what: 'a pod that has finished', pod: { phase: 'Succeeded' }, code: 201 },
    { what: 'a pod that has not started', pod: { phase: 'Pending' }, code: 201 },
    { what: 'an unready pod if enough others are healthy', pod: { ready: 'False' }, code: 201 },
    {
      what: 'an unready pod if too few others are healthy',
      pod: { ready: 'False' },
      status: { currentHealthy: 2 },
      code: 429,
    },
    {
      what: 'an unready pod whose budget always allows its eviction',
      pod: { ready: 'False' },
      status: { currentHealthy: 2 },
      spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      code: 201,
    },
    {
      what: 'a ready pod, whatever the budget says about unready ones',
      pod: {},
      spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      code: 429,
    },
  ])('for $what is answered with $code', async ({ pod, status, spec, code }) => {
    await w.addPod('x', pod);
    await w.addBudget('web', { ...tight, ...status }, spec);
    expect((await w.evict('x')).code).toBe(code);
  });

  it('fails with two budgets for the pod', async () => {
    await w.addBudget('web', tight);
    await w.addBudget('other', tight);
    const { code, body } = await w.evict('a');
    expect([code, body.message]).toEqual([500, expect.stringContaining('more than one PodDisruptionBudget')]);
  });

  it('is listed in the discovery documents', async () => {
    const { body } = await w.call('GET', '/api/v1');
    expect(body.resources).toContainEqual({
      name: 'pods/eviction',
      singularName: '',
      namespaced: true,
      group: 'policy',
      version: 'v1',
      kind: 'Eviction',
      verbs: ['create'],
    });
    expect((await w.call('GET', `${PODS}/a/eviction`)).code).toBe(405);
  });
});
