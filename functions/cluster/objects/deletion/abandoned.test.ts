import { expect, it } from 'vitest';
import { kinds } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { useTestDatabase } from '../../test-database.ts';
import { applyCluster, context, makeWorld, quickstart } from '../test-world.ts';

const database = useTestDatabase();
const key = { namespace: 'default', name: 'quickstart' };
const copyKey = { namespace: 'default', name: 'copy' };
const KINDS_COPIED: readonly ResourceDefinition[] = [kinds.awsCluster, kinds.kubeadmControlPlane] as never;

it('copies of the objects of a Cluster are deleted with it, even if nothing refers to them', async () => {
  const w = await makeWorld(database());
  const { input } = await applyCluster(w, await quickstart());
  await w.steps.begin(input, context);
  for (const resource of KINDS_COPIED) {
    const [original] = await w.objects.listOfCluster(resource, 'default', 'quickstart');
    const { metadata, ...rest } = original as KubeObject;
    const { labels, finalizers, ownerReferences } = metadata;
    expect(finalizers).toHaveLength(1);
    expect(ownerReferences).toHaveLength(1);
    const copy = { ...copyKey, labels, finalizers, ownerReferences };
    await w.objects.ensure(resource, { ...rest, metadata: copy });
  }
  // The user has already deleted one of them.
  await w.objects.delete(kinds.awsCluster, copyKey);

  await w.objects.delete(kinds.cluster, key);
  for (let round = 0; round < 3; round += 1) await w.steps.teardown(input, context);
  expect(await w.objects.get(kinds.awsCluster, copyKey)).toBeDefined();
  await w.objects.mutate(kinds.awsCluster, key, (current) => ({
    ...current,
    metadata: { ...current.metadata, finalizers: [] },
  }));
  await w.steps.report(input, context);

  expect(await w.objects.get(kinds.cluster, key)).toBeUndefined();
  for (const resource of KINDS_COPIED) expect(await w.objects.get(resource, copyKey)).toBeUndefined();
});
