import { expect, it } from 'vitest';
import { makeAddonsWorld, manifest } from './test-world.ts';

it('a resource with more objects than a pass has time for is reported', async () => {
  const w = await makeAddonsWorld();
  const { client } = w.workload;
  const { create } = client;
  client.create = async (...object) => {
    w.clock.advance(15);
    return create(...object);
  };
  const names = ['a', 'b', 'c', 'd', 'e'];
  await w.putConfigMap('cni', Object.fromEntries(names.map((name) => [name, manifest(name, 'x')])));
  await w.addSet('cni', {});
  await w.pass();
  expect((await w.applied('cni'))?.message).toContain('ConfigMap cni: only 3 of its 5 objects were applied in time');
  expect((await w.bindingOf('red'))?.spec.bindings?.[0]?.resources?.[0]?.applied).toBe(false);
});
