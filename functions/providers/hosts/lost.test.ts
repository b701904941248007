/** Machines whose Host no longer exists, and Hosts whose machine no longer exists. */
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { RELEASE_ANNOTATION } from '../../../shared/kinds/rules/host-wishes.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { HostsDependencies } from './dependencies.ts';
import { HostError } from './ssh/host-error.ts';
import { CONTEXT, makeHostWorld } from './test-hosts.ts';

type World = Awaited<ReturnType<typeof makeHostWorld>>;

/** Deletes an object despite its finalizers, as an administrator can. */
const remove = async ({ objects }: World, kind: ResourceDefinition, name: string): Promise<void> => {
  const at = { namespace: 'default', name };
  const bare = (current: KubeObject) => ({ ...current, metadata: { ...current.metadata, finalizers: [] } });
  await objects.mutate(kind, at, bare);
  await objects.delete(kind, at);
};

describe('a machine that has started to use its Host', () => {
  it('fails after one attempt when the Host no longer exists', async () => {
    const world = await makeHostWorld();
    await world.addHost('a');
    const input = await world.addMachine('m');
    const run: HostsDependencies['run'] = async (host, command, text) => {
      if (/ windlass start /.test(command)) throw new HostError('Unreachable', 'gone');
      return world.deps.run(host, command, text);
    };
    await expect(world.steps({ run }).launchInstance(input, CONTEXT)).rejects.toThrow('Host a: gone');
    await remove(world, kinds.host as ResourceDefinition, 'a');
    await world.addHost('b');

    const asked: string[] = [];
    const get: typeof world.objects.get = (kind, key) => {
      if (kind.kind === 'Host' && asked.push(key.name) > 10) throw new Error('an endless loop');
      return world.objects.get(kind, key);
    };
    const objects = { ...world.objects, get };
    await expect(world.steps({ objects }).launchInstance(input, CONTEXT)).rejects.toThrow(
      'Host a, which the machine has started to use: the Host was deleted; delete the Machine',
    );
    expect(asked).toEqual(['a']);
    expect((await world.host('b'))?.status?.claim).toBeUndefined();
  });
});

describe('a Host whose machine no longer exists', () => {
  it('is free again if the machine is deleted while a run claims the Host for it', async () => {
    const world = await makeHostWorld();
    await world.addHost('a');
    const input = await world.addMachine('m');
    const mutate: ObjectClient['mutate'] = async (kind, ...rest) => {
      const written = await world.objects.mutate(kind, ...rest);
      if (kind.kind === 'Host' && (await world.host('a'))?.status?.claim && (await world.machine('m')))
        await remove(world, kinds.hostMachine as ResourceDefinition, 'm');
      return written;
    };
    await world.steps({ objects: { ...world.objects, mutate } }).launchInstance(input, CONTEXT);
    expect(await world.machine('m')).toBeUndefined();
    const host = await world.host('a');
    expect([host?.status?.claim, host?.metadata.finalizers ?? []]).toEqual([undefined, []]);
    expect(world.computers.get('a')?.started).toBe(0);
  });

  it('is released by a pass over its cluster once an administrator confirms it', async () => {
    const world = await makeHostWorld();
    for (const name of ['a', 'b']) await world.addHost(name);
    for (const name of ['m', 'n']) await world.steps().launchInstance(await world.addMachine(name), CONTEXT);
    await remove(world, kinds.hostMachine as ResourceDefinition, 'm');
    await world.objects.delete(kinds.host, { namespace: 'default', name: 'a' });
    const pass = () => world.steps().endpoint(world.cluster, CONTEXT);
    await pass();
    expect((await world.host('a'))?.status?.claim?.machine).toBe('m');

    for (const name of ['a', 'b'])
      await world.objects.mutate(kinds.host, { namespace: 'default', name }, (current) => ({
        ...current,
        metadata: { ...current.metadata, annotations: { [RELEASE_ANNOTATION]: current.status?.claim?.uid ?? '' } },
      }));
    await pass();
    expect(await world.host('a')).toBeUndefined();
    // Its machine exists, and will release it.
    expect((await world.host('b'))?.status?.claim?.machine).toBe('n');
  });
});
