import { expect, it } from 'vitest';
import { type Cluster, type ClusterResourceSetBinding, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { newBinding, withFaults } from '../../../../shared/plan/addons/binding.ts';
import { useTestDatabase } from '../../test-database.ts';
import { applyCluster, context, makeInfrastructureReady, makeWorld, pass, quickstart } from '../test-world.ts';

const database = useTestDatabase();

const available = {
  type: 'Available',
  status: 'True',
  reason: 'Available',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

it('starts another pass for a cluster that lacks only add-ons', async () => {
  const w = await makeWorld(database());
  const key = { namespace: 'default', name: 'red' };
  const cluster = (await w.apply({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: key,
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
  } as Cluster)) as Cluster;
  await w.objects.mutate(
    kinds.cluster,
    key,
    (current) => ({ ...current, status: { conditions: [available] } }) as Cluster,
  );
  const input = w.inputOf(cluster, 1);
  const finish = async () => {
    await w.work.begin(input.cluster, input.holder, 60);
    return w.steps.finish(input, context);
  };
  expect(await finish()).toMatchObject({ waitSeconds: 0 });

  const fault = { cni: { reason: 'ApplyFailed', message: 'no such kind' } } as const;
  await w.objects.ensure<ClusterResourceSetBinding>(
    kinds.clusterResourceSetBinding,
    withFaults(newBinding(cluster), fault),
  );
  expect([(await finish()).waitSeconds, (await finish()).waitSeconds]).toEqual([1, 2]);

  // The change may correct the error of the previous passes.
  await w.work.touch(input.cluster, { isNews: true });
  expect(await finish()).toMatchObject({ waitSeconds: 1 });

  await w.objects.mutate(kinds.clusterResourceSetBinding, key, (current) => withFaults(current, {}));
  expect(await finish()).toMatchObject({ waitSeconds: 0 });
});

it('checks a control plane again while kubeadm has not labelled its node', async () => {
  const w = await makeWorld(database());
  const { input } = await applyCluster(w, await quickstart());
  await w.steps.begin(input, context);
  await makeInfrastructureReady(w.objects);
  await pass(w, input);
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const is = (type: string, status: 'True' | 'False') => ({ ...available, type, status, lastTransitionTime });
  const key = ({ metadata: { name } }: { metadata: { name: string } }) => ({ namespace: 'default', name });
  const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
  const setLabels = async (status: 'True' | 'False'): Promise<void> => {
    const conditions = [is('NodeReady', 'True'), is('NodeKubeadmLabelsAndTaintsSet', status)];
    for (const machine of machines)
      await w.objects.mutate(
        kinds.machine,
        key(machine),
        (current) => ({ ...current, status: { ...current.status, phase: 'Running', conditions } }) as Machine,
      );
  };
  await setLabels('False');
  const setCounts = async (upToDateReplicas: number): Promise<void> => {
    const settled = { replicas: 3, readyReplicas: 3, availableReplicas: 3, upToDateReplicas };
    for (const resource of [kinds.kubeadmControlPlane, kinds.machineDeployment] as readonly ResourceDefinition[])
      for (const object of await w.objects.listOfCluster(resource, 'default', 'quickstart'))
        await w.objects.mutate(resource, key(object), (current) => {
          const { generation: observedGeneration } = current.metadata;
          const conditions = [is('Available', 'True')];
          return { ...current, status: { ...settled, observedGeneration, conditions } } as KubeObject;
        });
  };
  await setCounts(3);
  await w.objects.mutate(
    kinds.cluster,
    input.cluster,
    (current) => ({ ...current, status: { ...current.status, conditions: [is('Available', 'True')] } }) as Cluster,
  );
  const setTokens = async (status: 'True' | 'False'): Promise<void> => {
    const [controlPlane] = await w.objects.list(kinds.kubeadmControlPlane, 'default');
    await w.objects.mutate(kinds.kubeadmControlPlane, key(controlPlane as KubeObject), (current) => {
      const conditions = [is('Available', 'True'), is('windlass.dev/BootstrapTokensUpToDate', status)];
      return { ...current, status: { ...current.status, conditions } } as typeof current;
    });
  };
  const finish = async () => {
    await w.work.begin(input.cluster, input.holder, 60);
    return (await w.steps.finish(input, context)).waitSeconds;
  };

  expect(await finish()).toBe(5);
  w.clock.advance(60);
  expect(await finish()).toBe(30);
  await setLabels('True');
  expect(await finish()).toBe(0);

  await setTokens('False');
  expect(await finish()).toBe(1);
  await setTokens('True');
  expect(await finish()).toBe(0);

  // No pass can change that an image contains another kubelet.
  await setCounts(0);
  expect(await finish()).toBeGreaterThan(0);
  for (const machine of machines)
    await w.objects.mutate(kinds.machine, key(machine), (current) => {
      const updating = { ...is('UpToDate', 'False'), reason: 'Updating' };
      const conditions = [...(current.status?.conditions ?? []), updating];
      return { ...current, status: { ...current.status, conditions } } as Machine;
    });
  expect(await finish()).toBe(0);
});
