import { expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { putInstances, usePoolWorlds } from './test-world.ts';

const makeWorld = usePoolWorlds();

it('a pool gets as many Machines as the quota allows, and Machines without instances make room for others', async () => {
  const w = await makeWorld({ hard: { 'count/machines.cluster.x-k8s.io': '2' } });
  const names = async () =>
    (await w.objects.listOfCluster(kinds.machine, 'default', 'red')).map(({ metadata }) => metadata.name).sort();
  await w.begin();
  await putInstances(w, ['i-1', 'i-2', 'i-3']);
  await w.machines();
  expect(await names()).toHaveLength(2);
  const events = await w.objects.list(kinds.event, 'default');
  expect(events.filter(({ reason }) => reason === 'FailedCreate')).toMatchObject([
    {
      type: 'Warning',
      message: expect.stringContaining('exceeded quota: small'),
      involvedObject: { kind: 'MachinePool' },
    },
  ]);

  const [first = ''] = await names();
  const others = ['i-1', 'i-2', 'i-3'].filter((id) => `p-${id}` !== first);
  // The Machine was refused, and its instance still exists: that is no news for the cluster.
  const touches = w.touched.length;
  await w.machines();
  expect(w.touched).toHaveLength(touches);

  await putInstances(w, others);
  await w.machines();
  const left = await w.objects.get(kinds.machine, { namespace: 'default', name: first });
  expect(left?.metadata.deletionTimestamp).toBeDefined();
});
