import { expect, it } from 'vitest';
import { type KubeadmControlPlane, kinds, type MachineHealthCheck } from '../../../../shared/kinds/index.ts';
import { PENDING_HOOKS } from '../../../../shared/plan/topology/hooks/memory.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, context, makeWorld, pass } from '../test-world.ts';

const database = useTestDatabase();

/** A cluster in the pass in which its API server answers for the first time. */
const answering = async () => {
  const w = await makeWorld(database());
  const input = await beginCluster(w);
  await pass(w, input);
  const key = { namespace: 'default', name: 'quickstart-control-plane' };
  await w.objects.mutate(
    kinds.kubeadmControlPlane,
    key,
    (current): KubeadmControlPlane => ({
      ...current,
      status: { ...current.status, initialization: { controlPlaneInitialized: true } },
    }),
  );
  const conclude = async (): Promise<boolean> => {
    const wanted = (await w.work.get(input.cluster))?.wanted ?? 0;
    await w.work.begin(input.cluster, input.holder, 60);
    return (await w.steps.conclude({ ...input, wanted }, context)).again;
  };
  return { ...w, cluster: input.cluster, conclude };
};

const CHECK = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineHealthCheck',
  metadata: { namespace: 'default', name: 'check', labels: { 'cluster.x-k8s.io/cluster-name': 'quickstart' } },
  spec: { clusterName: 'quickstart', selector: { matchLabels: { role: 'worker' } } },
} as MachineHealthCheck;

it('starts another pass, once, when health checks can be evaluated for the first time', async () => {
  const w = await answering();
  await w.apply(CHECK);
  expect([await w.conclude(), await w.conclude()]).toEqual([true, false]);
});

it('starts another pass for a hook that waits for the control plane', async () => {
  const w = await answering();
  await w.objects.mutate(kinds.cluster, w.cluster, (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations: { [PENDING_HOOKS]: 'AfterControlPlaneInitialized' } },
  }));
  expect([await w.conclude(), await w.conclude()]).toEqual([true, false]);
});

it('starts no other pass for a cluster in which nothing waits for the initialization', async () => {
  const w = await answering();
  expect(await w.conclude()).toBe(false);
});
