/** Machines in deletion whose `spec.infrastructureRef` a user has changed while they had an instance. */
import { expect, it } from 'vitest';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { HOSTS_FINALIZER } from '../../../shared/providers/hosts/names.ts';
import { FINALIZER, isTerminated, key, metadata, ref, useFormerWorlds } from './test-former.ts';

const makeWorld = useFormerWorlds();

const HOLD = 'example.com/hold';

it.each([
  ['an object that does not exist', ref('AWSMachine')],
  ['a kind that is not served', ref('FooMachine', 'm', 'example.com')],
  ['a kind of a group of Windlass that does not exist', ref('FooMachine')],
])('removes the infrastructure of a machine that refers to %s', async (_, infrastructureRef) => {
  const w = await makeWorld(infrastructureRef, { former: [FINALIZER] });
  await w.run();

  expect(isTerminated(w, 'former')).toBe(true);
  expect(await w.left()).toEqual([]);
  expect(w.touched).toEqual(['red']);
});

it('removes all infrastructure of a machine that has referred to several objects, one after the other', async () => {
  const w = await makeWorld(ref('AWSMachine'), { former: [FINALIZER], m: [FINALIZER], x: [FINALIZER] });

  await w.run();
  expect([...w.live.keys()]).toEqual(['i-former', 'i-x']);
  expect(await w.left()).toEqual(['AWSMachine former', 'AWSMachine x', 'Machine m']);
  expect(await w.leased()).toBe(false);
  expect(w.touched).toEqual(['red']);

  await w.run();
  await w.run();
  expect(w.live.size).toBe(0);
  expect(await w.left()).toEqual([]);
});

it('also removes what comes after the object that has the name of the machine', async () => {
  const w = await makeWorld(ref('AWSMachine', 'a'), { a: [FINALIZER], m: [FINALIZER], x: [FINALIZER] });
  await w.objects.mutate(
    kinds.machine,
    key('m'),
    (now) => ({ ...now, spec: { ...now.spec, providerID: 'aws:///us-east-1a/i-m' } }) as Machine,
  );
  for (let count = 0; count < 3; count += 1) await w.run();

  expect(w.live.size).toBe(0);
  expect(await w.left()).toEqual([]);
});

it.each([
  ['has died after removing the first object', true],
  ['has ended, but its answer was lost', false],
])(
  'leaves other infrastructure to the next execution if the last step is repeated because it %s',
  async (_, isDead) => {
    const w = await makeWorld(ref('AWSMachine'), { former: [FINALIZER], m: [FINALIZER] });
    const { begin, terminate, finish } = w.execution();
    await begin();
    await terminate();
    const { listOfCluster } = w.objects;
    if (isDead)
      w.objects.listOfCluster = async () => {
        throw new Error('died');
      };
    await finish().catch(({ message }: Error) => expect(message).toBe('died'));
    w.objects.listOfCluster = listOfCluster;
    expect(await w.left()).toEqual(['AWSMachine former', 'Machine m']);

    await finish();
    expect(await w.left()).toEqual(['AWSMachine former', 'Machine m']);
    expect(isTerminated(w, 'former')).toBe(false);
    expect(await w.leased()).toBe(false);

    await w.run();
    expect(isTerminated(w, 'former')).toBe(true);
    expect(await w.left()).toEqual([]);
  },
);

it('does not disturb the next execution with a late repetition of the last step', async () => {
  const w = await makeWorld(ref('AWSMachine'), { former: [FINALIZER], m: [FINALIZER] });
  const [first, second] = [w.execution(), w.execution()];
  for (const step of [first.begin, first.terminate, first.finish, second.begin, second.terminate]) await step();

  await first.finish();
  expect(await w.left()).toEqual(['AWSMachine former', 'Machine m']);
  expect(await w.leased()).toBe(true);

  await second.finish();
  expect(w.live.size).toBe(0);
  expect(await w.left()).toEqual([]);
});

it.each([
  ['another object', ref('AWSMachine', 'former'), []],
  ['another object and back', ref('AWSMachine'), [ref('AWSMachine', 'former')]],
])(
  'keeps a finalizer if the instance is not terminated, because a user refers to %s meanwhile',
  async (_, last, between) => {
    const w = await makeWorld(ref('AWSMachine'), { former: [FINALIZER], m: [FINALIZER] });
    const { begin, terminate, finish } = w.execution();
    await begin();
    for (const one of between) await w.refer(one);
    await terminate();
    await w.refer(last);
    await finish();
    expect(await w.left()).toEqual(['AWSMachine former', 'AWSMachine m', 'Machine m']);
    expect(await w.leased()).toBe(false);

    await w.run();
    await w.run();
    expect(w.live.size).toBe(0);
    expect(await w.left()).toEqual([]);
  },
);

it('removes the infrastructure although another execution has taken over the lease of a slow one', async () => {
  const w = await makeWorld(ref('AWSMachine'), { m: [FINALIZER] });
  const [first, second] = [w.execution(), w.execution()];
  await first.begin();
  await first.terminate();
  w.clock.advance(600);
  expect(await second.begin()).toMatchObject({ proceed: true });
  await second.terminate();
  await first.finish();

  expect(await w.left()).toEqual([]);
});

it('leaves the infrastructure to the next execution if a function of an earlier version has terminated the instance', async () => {
  const w = await makeWorld(ref('AWSMachine'), { m: [FINALIZER] });
  const { begin, finish } = w.execution();
  await begin();
  w.live.delete('i-m');
  await finish();
  expect(await w.left()).toEqual(['AWSMachine m', 'Machine m']);
  expect(w.touched).toEqual(['red']);

  await w.run();
  expect(await w.left()).toEqual([]);
});

it.each([
  ['HostMachine', ref('HostMachine', 'm', kinds.hostMachine.group), 'host://h/1', ['AWSMachine m', 'Machine m']],
  ['AWSMachine', ref('AWSMachine'), 'aws:///us-east-1a/i-m', ['HostMachine m', 'Machine m']],
])(
  'removes the infrastructure of both providers if they have the name of the machine, which refers to the %s',
  async (_, infrastructureRef, providerID, rest) => {
    const w = await makeWorld(infrastructureRef, { m: [FINALIZER] });
    await w.objects.ensure(kinds.hostMachine, {
      ...{ apiVersion: `${kinds.hostMachine.group}/${kinds.hostMachine.version}`, kind: 'HostMachine' },
      metadata: { ...metadata('m'), finalizers: [HOSTS_FINALIZER.machine], ownerReferences: [w.controller] },
      spec: { providerID: 'host://h/1' },
    } as never);
    // The Machine was provisioned again with what it refers to now.
    await w.objects.mutate(
      kinds.machine,
      key('m'),
      (now) => ({ ...now, spec: { ...now.spec, providerID } }) as Machine,
    );

    await w.run();
    expect(await w.left()).toEqual(rest);
    await w.run();
    expect(w.live.size).toBe(0);
    expect(await w.left()).toEqual([]);
  },
);

it('lists the machines of its own provider only if something indicates that the machine has others', async () => {
  const w = await makeWorld(ref('AWSMachine'), { m: [FINALIZER] });
  await w.objects.mutate(
    kinds.machine,
    key('m'),
    (now) => ({ ...now, spec: { ...now.spec, providerID: 'aws:///us-east-1a/i-m' } }) as Machine,
  );
  const listed: string[] = [];
  const { listOfCluster } = w.objects;
  w.objects.listOfCluster = ((...args: Parameters<typeof listOfCluster>) => {
    listed.push(args[0].kind);
    return listOfCluster(...args);
  }) as typeof listOfCluster;
  await w.run();

  expect(listed).toEqual(['HostMachine']);
  expect(await w.left()).toEqual([]);
});

it('does not wait for infrastructure that only another system holds', async () => {
  const w = await makeWorld(ref('AWSMachine'), { former: [HOLD], m: [FINALIZER, HOLD] });
  await w.run();

  expect(await w.left()).toEqual(['AWSMachine former', 'AWSMachine m']);
  expect(isTerminated(w, 'm')).toBe(true);
});

it('leaves infrastructure alone that it does not control', async () => {
  const w = await makeWorld(ref('AWSMachine', 'gone'), {});
  await w.add('other', [FINALIZER], [{ ...w.controller, name: 'other', uid: 'other' }]);
  await w.add('open', [FINALIZER], [{ ...w.controller, controller: false }]);

  await w.run();
  expect(await w.left()).toEqual(['AWSMachine open', 'AWSMachine other']);
  expect(w.live.size).toBe(2);
});
