import { expect, it } from 'vitest';
import { kinds } from '../../../../shared/kinds/index.ts';
import { MAX_OWNERS } from '../../../../shared/kube-api/owner-limits.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, makeWorld, pass } from '../test-world.ts';

const database = useTestDatabase();

it('creates machines from templates that as many other clusters own as may', async () => {
  const w = await makeWorld(database());
  const input = await beginCluster(w);
  const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster' };
  const owners = Array.from({ length: MAX_OWNERS }, (_, n) => ({ ...owner, name: `c-${n}`, uid: `u-${n}` }));
  const templates = [kinds.awsMachineTemplate, kinds.kubeadmConfigTemplate] as unknown as ResourceDefinition[];
  for (const resource of templates)
    for (const template of await w.objects.list(resource, 'default'))
      await w.objects.mutate(resource, template, (current) => ({
        ...current,
        metadata: { ...current.metadata, ownerReferences: owners },
      }));

  for (let passes = 0; passes < 2; passes += 1) await pass(w, input);
  const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
  const controlPlane = machines.filter(({ metadata }) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}));
  expect(controlPlane).toHaveLength(3);
  expect(machines.length).toBeGreaterThan(3);
  for (const resource of templates)
    for (const { metadata } of await w.objects.list(resource, 'default'))
      expect(metadata.ownerReferences).toEqual(owners);
});
