import { expect, it } from 'vitest';
import { useTestDatabase } from '../test-database.ts';
import { makeManagedCluster } from './test-topology.ts';

const database = useTestDatabase();

it('a topology with more errors than fit into a condition is reported, and its cluster is reconciled', async () => {
  const managed = await makeManagedCluster(database());
  await managed.begin();
  const [worker] = (await managed.cluster()).spec.topology?.workers?.machineDeployments ?? [];
  const groups = ['a', 'b', 'c', 'd'].map((name) => ({ class: worker?.class ?? '', name }));
  await managed.change((topology) => ({ ...topology, workers: { machineDeployments: groups } }));
  const template = `${'x'.repeat(9_000)}{{ index .region 99 }}`;
  await managed.changeClass((spec) => ({
    ...spec,
    patches: [
      {
        name: 'wrong',
        definitions: [
          {
            selector: {
              apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
              kind: 'AWSMachineTemplate',
              matchResources: { machineDeploymentClass: { names: ['*'] } },
            },
            jsonPatches: [{ op: 'add', path: '/spec/template/spec/instanceType', valueFrom: { template } }],
          },
        ],
      },
    ],
  }));

  expect(await managed.begin()).toMatchObject({ mode: 'normal' });
  const condition = await managed.condition();
  expect(condition).toMatchObject({ status: 'False', reason: 'ReconcileFailed' });
  expect(condition?.message).toHaveLength(32_768);
  expect(condition?.message).toMatch(/failed to generate patches for patch "wrong"/);
});
