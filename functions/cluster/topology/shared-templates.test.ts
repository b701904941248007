/** A template of a topology that another cluster owns, too, because its machines are made from it. */
import { expect, it } from 'vitest';
import { kinds, type MachineSet } from '../../../shared/kinds/index.ts';
import type { OwnerReference } from '../../../shared/kube-api/object.ts';
import { useTestDatabase } from '../test-database.ts';
import { deleteTemplatesOf } from './set-templates.ts';
import { makeManagedCluster, withVariable } from './test-topology.ts';

const database = useTestDatabase();

const OTHER: OwnerReference = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  name: 'other',
  uid: '11111111-2222-3333-4444-555555555555',
};

const start = async () => {
  const managed = await makeManagedCluster(database());
  await managed.begin();
  const [deployment] = await managed.listed(kinds.machineDeployment);
  if (!deployment) throw new Error('the topology has no MachineDeployment');
  const ref = deployment.spec.template.spec.infrastructureRef;
  const key = { namespace: 'default', name: ref.name ?? '' };
  const template = () => managed.objects.get(kinds.awsMachineTemplate, key);
  const share = () =>
    managed.objects.mutate(kinds.awsMachineTemplate, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, ownerReferences: [...(current.metadata.ownerReferences ?? []), OTHER] },
    }));
  const setOf = (clusterName: string): MachineSet => ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { namespace: 'default', name: 'set', labels: deployment.metadata.labels ?? {} },
    spec: { clusterName, selector: {}, template: deployment.spec.template },
  });
  return { managed, template, share, setOf };
};

it.each([
  ['is deleted after a rotation if only this cluster owns it', false],
  ['stays after a rotation if another cluster owns it, too', true],
])('%s', async (_, isShared) => {
  const { managed, template, share } = await start();
  if (isShared) await share();
  await managed.change(withVariable('workerInstanceType', 'c5.large'));
  await managed.begin();
  await managed.begin();
  expect((await template()) !== undefined).toBe(isShared);
});

it.each([
  ['managed', false, false],
  ['managed', true, true],
  ['copy', false, true],
])('with a set of the cluster %s that is deleted, it stays only as long as another cluster owns it', async (...row) => {
  const [clusterName, isShared, isLeft] = row;
  const { managed, template, share, setOf } = await start();
  if (isShared) await share();
  await deleteTemplatesOf(managed, setOf(clusterName), []);
  expect((await template()) !== undefined).toBe(isLeft);
});
