import { expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { WorkloadRefusedError } from '../../../shared/workload/client.ts';
import { makeAddonsWorld, manifest, NAMESPACE } from './test-world.ts';

it('strategy Reconcile applies objects whose lists have duplicate keys, although server-side apply cannot merge them', async () => {
  const w = await makeAddonsWorld();
  const there = async (name: string) =>
    (await w.workload.call('GET', `/api/v1/namespaces/default/configmaps/${name}`)).body.data?.value;
  const words = `failed to create typed patch object (default/a; /v1, Kind=ConfigMap): .env: duplicate entries for key [name="A"]`;
  const { client } = w.workload;
  const applied: string[] = [];
  const { apply } = client;
  client.apply = async (object, manager) => {
    applied.push(object.metadata.name);
    if (object.metadata.name === 'a') throw new WorkloadRefusedError({ code: 500, reason: '', causes: [], words });
    return apply(object, manager);
  };
  await w.putConfigMap('cni', { a: manifest('a', 'one'), b: manifest('b', 'one') });
  await w.addSet('cni', { strategy: 'Reconcile' });
  await w.pass();
  expect([applied, await there('a'), await there('b')]).toEqual([['a', 'b'], 'one', 'one']);
  expect(await w.applied('cni')).toMatchObject({ status: 'True' });

  await w.objects.mutate(kinds.configMap, { namespace: NAMESPACE, name: 'cni' }, (current) => ({
    ...current,
    data: { a: manifest('a', 'two') },
  }));
  await w.pass();
  expect(await there('a')).toBe('two');
});
