import type { V1Node } from '@kubernetes/client-node';
import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { AttachedVolume, DrainPod } from '../../../../shared/plan/drain/facts.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../../../shared/workload/client.ts';
import type { EvictionAnswer } from '../../../../shared/workload/drain.ts';
import { putNewer } from './test-newer.ts';
import { makeDrainWorld } from './test-world.ts';

const NODE = 'ip-10-0-0-7';
const HOOK = 'delete.hook.machine.cluster.x-k8s.io/me';
const BUDGET = "Cannot evict pod as it would violate the pod's disruption budget. The budget web needs 2";

const makeWorkload = () => {
  const state = {
    reachable: true,
    ready: 'True',
    providerId: 'aws:///a/i-7',
    cordoned: false,
    pods: [] as DrainPod[],
    refusal: '',
    attached: [] as AttachedVolume[],
    evicted: [] as string[],
  };
  const ask = async <T>(answer: () => T): Promise<T> => {
    if (!state.reachable) throw new WorkloadUnreachableError('connect ECONNREFUSED');
    return answer();
  };
  const evict = ({ metadata: { name } }: DrainPod, grace?: number): EvictionAnswer => {
    if (state.refusal) return { outcome: 'refused', why: state.refusal };
    state.evicted.push(grace === undefined ? name : `${name} in ${grace}s`);
    state.pods = state.pods.filter(({ metadata }) => metadata.name !== name);
    return { outcome: 'evicted' };
  };
  const client = {
    nodes: () => ask(() => [{ metadata: { name: NODE }, spec: { providerID: state.providerId } } as V1Node]),
    drain: {
      node: (name) =>
        ask(() => {
          const { providerId, cordoned: unschedulable, ready } = state;
          return { name, providerId, unschedulable, unreachable: ready === 'Unknown', volumes: [] };
        }),
      cordon: () =>
        ask(() => {
          state.cordoned = true;
        }),
      podsOn: () => ask(() => state.pods),
      namespaces: () => ask(() => new Map([['default', {}]])),
      hasDaemonSet: () => ask(() => true),
      evict: (pod, grace) => ask(() => evict(pod, grace)),
      attachedVolumes: () => ask(() => state.attached),
      persistentVolumes: () => ask(() => [{ name: 'pv', claim: 'default/data' }]),
    },
    close: async () => {},
  } as Partial<WorkloadClient> as WorkloadClient;
  return { state, connect: () => client };
};

const world = async () => {
  const { state, connect } = makeWorkload();
  return { state, ...(await makeDrainWorld({ connect, nodeName: NODE })) };
};

const web: DrainPod = { metadata: { namespace: 'default', name: 'web' } };
const PARKED = { progress: 'failed', waitSeconds: 0 };

describe('before a machine is terminated', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world();
  });

  it('its node is cordoned and drained, and its volumes are waited for', async () => {
    w.state.pods = [web];
    w.state.attached = [{ name: 'va', node: NODE, volume: 'pv' }];
    expect(await w.look()).toEqual({ progress: 'wait', waitSeconds: 1 });
    expect([w.state.cordoned, w.state.evicted]).toEqual([true, ['web']]);
    expect(await w.deleting()).toMatchObject({
      reason: 'DrainingNode',
      message: expect.stringContaining('default/web: deletionTimestamp set'),
    });
    await w.look();
    expect(await w.deleting()).toMatchObject({
      reason: 'WaitingForVolumeDetach',
      message: expect.stringContaining('* PersistentVolumeClaims: default/data'),
    });
    w.state.attached = [];
    expect(await w.look()).toEqual({ progress: 'done', waitSeconds: 0 });
    expect(await w.reasons()).toEqual(['NodeVolumesDetached', 'SuccessfulDrainNode']);
  });

  it('a node with the same name that belongs to a newer instance is not changed', async () => {
    w.state.pods = [web];
    w.state.attached = [{ name: 'va', node: NODE, volume: 'pv' }];
    w.state.providerId = 'aws:///a/i-8';
    expect(await w.look()).toEqual({ progress: 'done', waitSeconds: 0 });
    expect([w.state.cordoned, w.state.evicted]).toEqual([false, []]);
  });

  it('a disruption budget blocks the drain until the timeout, even if the timeout is set later', async () => {
    w.state.pods = [web];
    w.state.refusal = BUDGET;
    await w.look();
    expect((await w.deleting())?.message).toContain(`default/web: c${BUDGET.slice(1)}`);
    expect((await w.status())?.deletion).toEqual({ nodeDrainStartTime: '2026-01-01T00:00:00Z' });
    w.clock.advance(100);
    expect(await w.look()).toEqual({ progress: 'wait', waitSeconds: 10 });
    await w.limit({ nodeDrainTimeoutSeconds: 105 });
    expect(await w.look()).toEqual({ progress: 'wait', waitSeconds: 5 });
    w.clock.advance(5);
    expect(await w.look()).toMatchObject({ progress: 'done' });
    expect(w.state.evicted).toEqual([]);
  });

  it('its node is not changed if the whole cluster is being deleted', async () => {
    w.state.pods = [web];
    w.state.refusal = BUDGET;
    await w.look();
    await w.objects.delete(kinds.cluster, { namespace: 'default', name: 'red' });
    expect(await w.look()).toMatchObject({ progress: 'done' });
  });

  it('its node is not drained if no control plane machine is left to reach it through', async () => {
    w.state.pods = [web];
    await w.objects.delete(kinds.machine, { namespace: 'default', name: 'cp' });
    expect(await w.look()).toMatchObject({ progress: 'done' });
    expect(w.state.evicted).toEqual([]);
  });

  it('its pre-drain and pre-terminate hooks run first and last, without an execution', async () => {
    w.state.pods = [web];
    await w.annotate({ [`pre-drain.${HOOK}`]: '', [`pre-terminate.${HOOK}`]: '' });
    expect(await w.look()).toEqual(PARKED);
    expect(await w.deleting()).toMatchObject({
      reason: 'WaitingForPreDrainHook',
      message: `Waiting for pre-drain hooks to succeed (hooks: pre-drain.${HOOK})`,
    });
    expect([w.state.evicted, w.log]).toEqual([[], { touched: 1, released: 1 }]);
    await w.annotate({ [`pre-terminate.${HOOK}`]: '' });
    await w.look();
    expect(await w.look()).toEqual(PARKED);
    expect(await w.deleting()).toMatchObject({ reason: 'WaitingForPreTerminateHook' });
    // From here on, the node does not change.
    w.state.pods = [web];
    await w.annotate({ 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/kcp-cleanup': '' });
    expect(await w.look()).toMatchObject({ progress: 'done' });
    expect(w.state.evicted).toEqual(['web']);
  });

  it('its owners are notified of each stage once', async () => {
    w.state.pods = [web];
    w.state.refusal = BUDGET;
    await w.look();
    await w.look();
    expect(w.log.touched).toBe(1);
    w.state.refusal = '';
    w.state.attached = [{ name: 'va', node: NODE, volume: 'pv' }];
    await w.look();
    await w.look();
    expect([(await w.deleting())?.reason, w.log.touched]).toEqual(['WaitingForVolumeDetach', 2]);
    w.state.attached = [];
    expect(await w.look()).toMatchObject({ progress: 'done' });
    expect(w.log.touched).toBe(2);
  });

  it('a hook that is removed during the check is not missed', async () => {
    await w.annotate({ [`pre-terminate.${HOOK}`]: '' });
    w.race.atRelease = async () => void (await w.annotate(undefined));
    expect(await w.look()).toEqual(PARKED);
    expect(w.log).toEqual({ touched: 2, released: 1 });
  });

  it('an annotation excludes the drain, and another the wait for volumes', async () => {
    w.state.pods = [web];
    w.state.attached = [{ name: 'va', node: NODE, volume: 'pv' }];
    await w.annotate({ 'machine.cluster.x-k8s.io/exclude-node-draining': '' });
    await w.look();
    expect(await w.deleting()).toMatchObject({ reason: 'WaitingForVolumeDetach' });
    await w.annotate({
      'machine.cluster.x-k8s.io/exclude-node-draining': '',
      'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '',
    });
    expect(await w.look()).toMatchObject({ progress: 'done' });
    expect([w.state.evicted, w.state.cordoned]).toEqual([[], false]);
  });

  it('an unresponsive API server makes the drain wait, not fail', async () => {
    w.state.reachable = false;
    expect(await w.look()).toMatchObject({ progress: 'wait' });
    expect(await w.deleting()).toMatchObject({
      reason: 'DrainingNode',
      message: 'Error draining Node: connect ECONNREFUSED',
    });
    expect(await w.reasons()).toEqual(['FailedDrainNode']);
    await w.limit({ nodeDrainTimeoutSeconds: 1, nodeVolumeDetachTimeoutSeconds: 1 });
    w.clock.advance(1);
    await w.look();
    expect((await w.deleting())?.message).toMatch(/^Error waiting for volumes to be detached from Node: connect/);
    w.clock.advance(1);
    expect(await w.look()).toMatchObject({ progress: 'done' });
  });

  it('pods of an unresponsive kubelet get a second to stop, and their volumes are not waited for', async () => {
    w.state.ready = 'Unknown';
    w.state.pods = [web, { metadata: { namespace: 'default', name: 'b', deletionTimestamp: '2025-12-31T00:00:00Z' } }];
    w.state.attached = [{ name: 'va', node: NODE, volume: 'pv' }];
    await w.look();
    expect(w.state.evicted).toEqual(['web in 1s']);
    expect(await w.look()).toMatchObject({ progress: 'done' });
  });

  it('after half an hour, each check is a separate execution', async () => {
    w.state.pods = [web];
    w.state.refusal = BUDGET;
    await w.look();
    w.clock.advance(31 * 60);
    expect(await w.look()).toEqual(PARKED);
    expect(w.log.released).toBe(1);
  });

  it('the uninitialized node of a newer instance is not changed', async () => {
    w.state.pods = [web];
    w.state.providerId = '';
    await putNewer(w.objects, NODE);
    expect(await w.look()).toMatchObject({ progress: 'done' });
    expect([w.state.evicted, w.state.cordoned]).toEqual([[], false]);
  });

  it('its own node is drained even if the node is not initialized', async () => {
    w.state.pods = [web];
    w.state.providerId = '';
    await putNewer(w.objects, 'ip-10-0-0-8');
    await w.look();
    expect(w.state.evicted).toEqual(['web']);
  });

  it('its own node is drained even if the Machine of a terminated instance had the same address', async () => {
    w.state.pods = [web];
    w.state.providerId = '';
    await putNewer(w.objects, NODE);
    await w.objects.mutate(kinds.awsMachine, { namespace: 'default', name: 'm-9' }, (current) => ({
      ...current,
      status: { ...current.status, instanceState: 'terminated' as const },
    }));
    await w.look();
    expect(w.state.evicted).toEqual(['web']);
  });

  it('a node that was not observed before is found', async () => {
    await w.change((current) => ({ ...current, status: { phase: 'Provisioned' } }) as Machine);
    w.state.pods = [web];
    await w.look();
    expect([w.state.evicted, (await w.status())?.nodeRef]).toEqual([['web'], { name: NODE }]);
  });
});
