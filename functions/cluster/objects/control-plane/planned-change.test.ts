import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { isControlPlaneMachine } from '../../../../shared/plan/labels.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, context, makeWorld, type World } from '../test-world.ts';

const database = useTestDatabase();

const KEY = { namespace: 'default', name: 'quickstart-control-plane' };

describe('the machines of an initialized control plane', () => {
  let w: World;
  let input: ConvergeInput;

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await w.work.touch(input.cluster);
    await w.steps.certificates(input, context);
    await w.steps.controlPlane(input, context);
    await w.objects.mutate(kinds.kubeadmControlPlane, KEY, (owner) => ({
      ...owner,
      status: { ...owner.status, initialization: { controlPlaneInitialized: true } },
    }));
    // A machine that a user has deleted; if there are no others, it is replaced immediately.
    const [one, ...others] = await machines();
    for (const { metadata } of others) await remove(metadata.name);
    await w.objects.mutate(kinds.machine, { ...KEY, name: one?.metadata.name ?? '' }, healthy);
  });

  const machines = async (): Promise<Machine[]> =>
    (await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart')).filter(isControlPlaneMachine);
  const remove = async (name: string) => {
    await w.objects.mutate(kinds.machine, { ...KEY, name }, (machine) => ({
      ...machine,
      metadata: { ...machine.metadata, finalizers: [] },
    }));
    await w.objects.delete(kinds.machine, { ...KEY, name });
  };
  const TYPES = ['APIServer', 'ControllerManager', 'Scheduler', 'Etcd'].map((name) => `${name}PodHealthy`);
  const healthy = (machine: Machine): Machine => ({
    ...machine,
    status: {
      nodeRef: { name: 'n-1' },
      conditions: [...TYPES, 'EtcdMemberHealthy'].map((type) => ({
        ...{ type, status: 'True', reason: 'Healthy', message: '' },
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  });

  it('are changed only after a check in the same pass', async () => {
    expect(await machines()).toHaveLength(1);
    expect(await w.steps.certificates(input, context)).toEqual({ ready: true, changes: true });
    await w.steps.controlPlane({ ...input, checked: true }, context);
    expect(await machines()).toHaveLength(2);
  });

  it('are left to the next pass if they need a change that arose after the check', async () => {
    const { checked: _checked, ...unchecked } = input;
    const before = (await w.work.get(input.cluster))?.wanted ?? 0;
    await w.steps.controlPlane(unchecked, context);
    expect(await machines()).toHaveLength(1);
    expect((await w.work.get(input.cluster))?.wanted).toBe(before + 1);
  });

  it('need no check while nothing changes or while the control plane is paused', async () => {
    await w.objects.mutate(kinds.kubeadmControlPlane, KEY, (owner) => ({
      ...owner,
      metadata: { ...owner.metadata, annotations: { 'cluster.x-k8s.io/paused': '' } },
    }));
    expect(await w.steps.certificates(input, context)).toEqual({ ready: true, changes: false });
    await w.objects.mutate(kinds.kubeadmControlPlane, KEY, (owner) => ({
      ...owner,
      metadata: { ...owner.metadata, annotations: {} },
      spec: { ...owner.spec, replicas: 1 },
    }));
    expect(await w.steps.certificates(input, context)).toEqual({ ready: true, changes: false });
  });
});
