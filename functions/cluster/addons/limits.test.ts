import { expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { WorkloadRefusedError } from '../../../shared/workload/client.ts';
import { makeAddonsWorld, manifest } from './test-world.ts';

/** The creation of an object takes this long, and objects with some names are refused. */
const slowWorld = async (secondsOf: (name: string) => number, refused: readonly string[] = []) => {
  const w = await makeAddonsWorld();
  const { client } = w.workload;
  const { create } = client;
  const tried: string[] = [];
  client.create = async (object, manager) => {
    const { name } = object.metadata;
    tried.push(name);
    w.clock.advance(secondsOf(name));
    if (refused.includes(name))
      throw new WorkloadRefusedError({ code: 422, reason: 'Invalid', causes: [], words: 'no' });
    return create(object, manager);
  };
  const putAll = (name: string, names: readonly string[]) =>
    w.putConfigMap(name, Object.fromEntries(names.map((one) => [one, manifest(one, 'x')])));
  /** The names of the objects that a pass tries. */
  const pass = async () => {
    tried.length = 0;
    await w.pass();
    return tried.join('');
  };
  return { ...w, putAll, pass };
};

const FIVE = ['a', 'b', 'c', 'd', 'e'];

it('a resource with more objects than a pass has time for is continued by the next pass', async () => {
  const w = await slowWorld(() => 15);
  await w.putAll('cni', FIVE);
  await w.addSet('cni', {});
  expect(await w.pass()).toBe('abc');
  expect((await w.applied('cni'))?.message).toContain('ConfigMap cni: only 3 of its 5 objects were applied in time');
  expect((await w.bindingOf('red'))?.spec.bindings?.[0]?.resources?.[0]?.applied).toBe(false);

  // An unreachable cluster does not make a pass forget anything.
  await w.reach('red', 'False');
  expect(await w.pass()).toBe('');
  await w.reach('red', 'True');
  expect(await w.pass()).toBe('de');
  expect(await w.applied('cni')).toMatchObject({ status: 'True' });
  expect(await w.pass()).toBe('');
});

it('a resource whose contents change before the next pass is applied from the beginning', async () => {
  const w = await slowWorld(() => 15);
  await w.putAll('cni', FIVE);
  await w.addSet('cni', {});
  await w.pass();
  await w.objects.mutate(kinds.configMap, { namespace: 'default', name: 'cni' }, (current) => ({
    ...current,
    data: { f: manifest('f', 'x') },
  }));
  expect(await w.pass()).toBe('f');
});

it('a resource is not reported as applied if an object was refused in an earlier pass', async () => {
  const w = await slowWorld(() => 15, ['b']);
  await w.putAll('cni', FIVE);
  await w.addSet('cni', {});
  expect(await w.pass()).toBe('abc');
  expect(await w.pass()).toBe('de');
  expect(await w.applied('cni')).toMatchObject({ status: 'False' });
  expect(await w.pass()).toBe('abc');
});

it('a slow set that is always refused does not keep other sets from being applied', async () => {
  const w = await slowWorld((name) => (name === 'z' ? 1 : 35), ['a', 'b']);
  for (const [set, name] of [
    ['1', 'a'],
    ['2', 'b'],
    ['3', 'z'],
  ] as const) {
    await w.putAll(set, [name]);
    await w.addSet(set, {});
  }
  const passes: string[] = [];
  for (let count = 0; count < 4; count += 1) passes.push(await w.pass());
  expect(passes.join(' ')).toContain('z');
  expect(passes.filter((tried) => tried.includes('a')).length).toBeGreaterThan(0);
  expect(passes.filter((tried) => tried.includes('b')).length).toBeGreaterThan(0);
  expect(await w.applied('3')).toMatchObject({ status: 'True' });
});

it('a slow resource that is always refused does not keep other resources of its set from being applied', async () => {
  const w = await slowWorld((name) => (name === 'z' ? 1 : 35), ['a']);
  await w.putAll('1', ['a']);
  await w.putAll('2', ['z']);
  const resources = ['1', '2'].map((name) => ({ kind: 'ConfigMap' as const, name }));
  await w.addSet('both', { resources });
  expect([await w.pass(), await w.pass()]).toEqual(['a', 'za']);
});

it('a hundred sets per cluster are applied, and the others report why they are not', async () => {
  const w = await slowWorld(() => 0);
  await w.putAll('cni', ['a']);
  const name = (index: number) => `set-${String(index).padStart(3, '0')}`;
  for (let index = 0; index < 103; index += 1)
    await w.addSet(name(index), { resources: [{ kind: 'ConfigMap', name: 'cni' }] });

  await w.pass();

  expect((await w.bindingOf('red'))?.spec.bindings).toHaveLength(100);
  expect(await w.applied(name(99))).toMatchObject({ status: 'True' });
  for (const index of [100, 101, 102]) {
    const condition = await w.applied(name(index));
    expect(condition).toMatchObject({ status: 'False' });
    expect(condition?.message).toContain('the cluster has 100 ClusterResourceSets');
  }
  expect(await w.pass()).toBe('');
});

it('sets that a pass had no time for come first in the next pass', async () => {
  const w = await slowWorld((name) => (name === 'a' ? 45 : 1));
  for (const name of FIVE) {
    await w.putAll(name, [name]);
    await w.addSet(name, {});
  }
  expect(await w.pass()).toBe('a');
  expect(await w.pass()).toBe('bcde');
  for (const name of FIVE) expect(await w.applied(name)).toMatchObject({ status: 'True' });
});

it('a repeated fault whose message is too long for the binding is recorded as one event', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${'long-name-of-a-missing-resource-'.repeat(2)}${index}`);
  const w = await slowWorld(() => 0);
  await w.addSet('cni', { resources: names.map((name) => ({ kind: 'ConfigMap', name })) });
  await w.pass();
  await w.pass();
  const events = await w.objects.list(kinds.event, 'default');
  expect(events.map(({ reason, count, series }) => [reason, count ?? 1, series?.count])).toEqual([
    ['RetrievingResourceFailed', 1, undefined],
  ]);
});
