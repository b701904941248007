import type { Instance } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../clock.ts';
import type { Ec2Instances } from './ec2-instances.ts';
import { shareCalls } from './shared-instances.ts';

const clock: Clock = { now: () => new Date(0), sleep: async () => {} };

const world = (known: readonly string[]) => {
  const calls: string[] = [];
  const states = new Map<string, 'pending' | 'running' | 'terminated'>(known.map((id) => [id, 'pending']));
  let launched = 0;
  let images: { ImageId: string }[] = [{ ImageId: 'ami-1' }];
  const ec2 = {
    describeAll: async (ids: readonly string[]): Promise<Instance[]> => {
      calls.push(`look ${ids.join(' ')}`);
      return ids
        .filter((id) => known.includes(id))
        .map((InstanceId): Instance => ({ InstanceId, State: { Name: states.get(InstanceId) } }));
    },
    run: async () => {
      launched += 1;
      return { InstanceId: `i-${launched}`, State: { Name: 'pending' } };
    },
    architecture: async (type: string) => {
      calls.push(`type ${type}`);
      return 'x86_64';
    },
    images: async () => {
      calls.push('images');
      return images;
    },
  } as unknown as Ec2Instances;
  return { calls, states, port: shareCalls(ec2, clock), setImages: (next: typeof images) => (images = next) };
};

describe('machines that are launched together', () => {
  it('are read in one call, in which an instance that EC2 does not know does not affect the others', async () => {
    const { calls, port } = world(['i-1', 'i-3']);
    const found = await Promise.all(['i-1', 'i-2', 'i-3'].map(port.describe));
    expect(found.map((instance) => instance?.InstanceId)).toEqual(['i-1', undefined, 'i-3']);
    expect(calls).toEqual(['look i-1 i-2 i-3']);
    await port.describe('i-1');
    expect(calls).toEqual(['look i-1 i-2 i-3', 'look i-1']);
  });

  it('are all read in the call of the first caller, until they run', async () => {
    const { calls, port, states } = world(['i-1', 'i-2']);
    await port.run({} as never);
    await port.run({} as never);
    expect((await port.describe('i-1'))?.State?.Name).toBe('pending');
    states.set('i-1', 'running');
    states.set('i-2', 'running');
    expect((await port.describe('i-2'))?.State?.Name).toBe('running');
    expect((await port.describe('i-1'))?.State?.Name).toBe('running');
    expect(calls).toEqual(['look i-1 i-2', 'look i-2 i-1']);
    states.set('i-1', 'terminated');
    clock.now = () => new Date(10_000);
    expect((await port.describe('i-1'))?.State?.Name).toBe('terminated');
    clock.now = () => new Date(0);
  });

  it('request their type and their image once', async () => {
    const { calls, port } = world([]);
    const query = { owner: '1', name: 'n', architecture: 'x86_64' } as never;
    await Promise.all([port.architecture('t3.large'), port.architecture('t3.large'), port.images(query)]);
    await Promise.all([port.architecture('t3.small'), port.images(query)]);
    expect(calls).toEqual(['type t3.large', 'images', 'type t3.small']);
  });

  it('request an image again if it was not found', async () => {
    const { port, setImages } = world([]);
    const query = { id: 'ami-1' };
    setImages([]);
    expect(await port.images(query)).toEqual([]);
    setImages([{ ImageId: 'ami-1' }]);
    expect(await port.images(query)).toEqual([{ ImageId: 'ami-1' }]);
  });
});
