/** The instances of some of an account's clusters: the listing of a sweep of a part of the fleet. */
import { DeleteTagsCommand, RunInstancesCommand } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { imagesOf } from '../../infra/local/engines/ec2/images/images.ts';
import { createEc2Fleet, type Ec2Fleet } from '../../shared/providers/aws/api/ec2-fleet.ts';
import { ownershipTag, ROLE_TAG } from '../../shared/providers/aws/tags.ts';
import { startWorld, type World } from '../cluster-infrastructure/world.ts';

let world: World;
let fleet: Ec2Fleet;
beforeAll(async () => {
  world = await startWorld();
  fleet = createEc2Fleet(world.client);
});
afterAll(() => world.close());

const [imageId] = imagesOf('us-east-1').keys();

const launch = async (cluster: string): Promise<string> => {
  const Tags = [
    { Key: ownershipTag(cluster), Value: 'owned' },
    { Key: ROLE_TAG, Value: 'node' },
  ];
  const { Instances } = await world.client.send(
    new RunInstancesCommand({
      ImageId: imageId,
      InstanceType: 't3.large',
      ...{ MinCount: 1, MaxCount: 1 },
      TagSpecifications: [{ ResourceType: 'instance', Tags }],
    }),
  );
  return Instances?.[0]?.InstanceId ?? '';
};

it('the listing of instances for some clusters includes those with their tags and known ones without the tags', async () => {
  const [red, lost] = [await launch('red'), await launch('red')];
  await launch('blue');
  await world.client.send(new DeleteTagsCommand({ Resources: [lost], Tags: [{ Key: ownershipTag('red') }] }));

  expect([...(await fleet.describeInstancesOf(['red', 'red'], [red])).keys()]).toEqual([red]);
  const all = await fleet.describeInstancesOf(['red'], [red, lost, 'i-0123456789abcdef0', 'no id,*']);
  expect([...all.keys()].sort()).toEqual([red, lost].sort());
  expect(all.get(lost)).toMatchObject({ state: expect.any(String), tags: { [ROLE_TAG]: 'node' } });
});
