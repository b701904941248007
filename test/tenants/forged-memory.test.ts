/** A hostile editor adds the annotation to an AWSCluster in which version 0.1 stored its records. */
import { afterEach, describe, expect, it } from 'vitest';
import { type AWSCluster, kinds } from '../../shared/kinds/index.ts';
import { inventory, NOTHING, ONE_ZONE } from '../cluster-infrastructure/inventory.ts';
import { askForDeletion, create, remove } from '../cluster-infrastructure/steps.ts';
import { KEY, startWorld, type World } from '../cluster-infrastructure/world.ts';

let world: World;
afterEach(() => world.close());

const SPEC = { sshKeyName: '', network: { vpc: { availabilityZoneUsageLimit: 1 } } };

const write = (annotations: Record<string, string>) =>
  world.tenant.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations },
  }));

const bastions = () =>
  world.ec2.describeBastions([{ name: 'instance-state-name', values: ['pending', 'running', 'stopped'] }]);

describe('controllers’ records, forged by an editor of the namespace', () => {
  it('do not count as the launch of a bastion', async () => {
    world = await startWorld({ ...SPEC, bastion: { enabled: true } });
    const request = {
      MinCount: 5,
      MaxCount: 5,
      ImageId: 'ami-1',
      InstanceType: 'p5.48xlarge',
      MetadataOptions: { HttpTokens: 'optional' },
      TagSpecifications: [],
    };
    await write({ 'windlass.dev/bastion-launch': JSON.stringify({ token: '2026-11-20T12:00:00Z.x', request }) });

    const isReady = await create(world);

    const found = await bastions();
    expect(isReady).toBe(true);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ type: 't2.micro' });
  });

  it('neither prevent a network from being created nor cause a second one', async () => {
    world = await startWorld(SPEC);
    const token = '2999-01-01T00:00:00Z.forged';
    const keys = ['intent.windlass.dev/vpc', 'intent.windlass.dev/internet-gateway'];
    await write({
      ...Object.fromEntries(keys.map((key) => [key, token])),
      'windlass.dev/network-turn': token,
      'windlass.dev/settled': 'vpc=0,network=0,natGateways=0,loadBalancer=0,targets=0',
      'windlass.dev/preflight': 'network=0,machines=0',
    });

    expect(await create(world)).toBe(true);

    expect(await inventory(world)).toEqual(ONE_ZONE);
  });

  it('do not change what is created or what a deletion leaves, even if they are rewritten in between', async () => {
    world = await startWorld(SPEC);
    await create(world);
    await write({ 'windlass.dev/settled': 'vpc=0', 'windlass.dev/bucket': 'the-bucket-of-another' });
    await create(world);
    const before = await inventory(world);
    await write({ 'windlass.dev/settled': '{', 'windlass.dev/bastion-launch': '{' });
    await askForDeletion(world);
    await remove(world);

    expect(before).toEqual(ONE_ZONE);
    expect(await inventory(world)).toEqual(NOTHING);
  });

  it('are not served', async () => {
    world = await startWorld({ ...SPEC, bastion: { enabled: true } });
    await create(world);

    const served = (await world.tenant.get(kinds.awsCluster, KEY)) as AWSCluster;

    const remembered = Object.keys((await world.awsCluster()).metadata.annotations ?? {});
    expect(remembered).toContain('windlass.dev/settled');
    expect(Object.keys(served.metadata.annotations ?? {}).filter((key) => key.includes('windlass.dev/'))).toEqual([]);
  });
});
