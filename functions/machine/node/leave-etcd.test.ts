import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { startTestDatabase, type TestDatabase } from '../../../shared/store/test-table.ts';
import { context, makeWorld } from './test-world.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

it('leaves the member of the original alone when a copy of a control plane machine is deleted', async () => {
  const w = await makeWorld(database);
  const [controlPlane] = await w.objects.list(kinds.kubeadmControlPlane, 'default');
  await w.objects.mutate(
    kinds.kubeadmControlPlane,
    { namespace: 'default', name: controlPlane?.metadata.name ?? '' },
    (one) => ({
      ...one,
      status: { ...one.status, initialization: { controlPlaneInitialized: true } },
    }),
  );
  const original = await w.objects.get(kinds.machine, { namespace: 'default', name: 'm-0' });
  await w.clock.advance(60);
  const name = 'copy';
  const labels = { ...original?.metadata.labels, 'cluster.x-k8s.io/cluster-name': 'red' };
  const { object: copy } = await w.objects.ensure(kinds.machine, {
    ...(original as NonNullable<typeof original>),
    ...{ metadata: { name, namespace: 'default', labels }, status: { nodeRef: { name: 'ip-10-0-0-0' } } },
  });
  const machine = { ...w.input.machine, name, uid: copy.metadata.uid ?? '' };
  expect(await w.steps.leaveEtcd({ ...w.input, machine }, context)).toMatchObject({ progress: 'done' });
});
