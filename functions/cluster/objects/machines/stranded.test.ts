import { expect, it } from 'vitest';
import { type Cluster, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { isControlPlaneMachine } from '../../../../shared/plan/labels.ts';
import { takesInit } from '../../../machine/objects/init-lock.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, makeWorld, pass } from '../test-world.ts';

const database = useTestDatabase();

it('machines that may have joined a control plane machine are deleted after it was re-created with the same name', async () => {
  const w = await makeWorld(database());
  const input = await beginCluster(w);
  await pass(w, input);
  const all = async () =>
    (await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart')).filter(isControlPlaneMachine);
  const cluster = (await w.objects.get(kinds.cluster, input.cluster)) as Cluster;
  const [first, second] = (await all()) as [Machine, Machine];
  const refOf = ({ metadata: { name, uid = '' } }: Machine) => ({
    ...{ namespace: 'default', name, uid, clusterName: 'quickstart', clusterUid: cluster.metadata.uid ?? '' },
  });
  expect(await takesInit(w.objects, cluster, refOf(first))).toBe(true);
  await w.objects.mutate(kinds.awsMachine, { namespace: 'default', name: second.metadata.name }, (current) => ({
    ...current,
    spec: { ...current.spec, instanceID: 'i-2', providerID: 'aws:///us-east-1a/i-2' },
  }));

  // As `kubectl replace --force`: no pass sees that it is gone.
  const { name, labels, annotations, ownerReferences, finalizers } = first.metadata;
  await w.objects.mutate(kinds.machine, first, ({ metadata: { finalizers: _, ...metadata }, ...rest }) => ({
    ...rest,
    metadata,
  }));
  await w.objects.delete(kinds.machine, first);
  await w.apply({
    ...first,
    metadata: { namespace: 'default', name, labels, annotations, ownerReferences, finalizers },
  } as Machine);
  await pass(w, input);
  const leaving = (await all())
    .filter(({ metadata }) => metadata.deletionTimestamp)
    .map(({ metadata }) => metadata.name);
  expect(leaving).toEqual([second.metadata.name]);
});
