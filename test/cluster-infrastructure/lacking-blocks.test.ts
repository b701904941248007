import { afterEach, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { create } from './steps.ts';
import { makeUserNetwork, networkSpec } from './user-network.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

const SECONDARY = '100.64.0.0/16';

const reported = async () =>
  (await world.awsCluster()).status?.conditions?.find(({ type }) => type === 'SecondaryCidrsReady');

it('a secondary block that the user’s VPC lacks is reported without blocking the cluster, until it is associated', async () => {
  world = await startWorld();
  const user = await makeUserNetwork(world);
  const { vpc, ...network } = networkSpec(user) ?? {};
  await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    spec: {
      ...current.spec,
      network: { ...network, vpc: { ...vpc, secondaryCidrBlocks: [{ ipv4CidrBlock: SECONDARY }] } },
    },
  }));

  expect(await create(world)).toBe(true);
  expect(await reported()).toMatchObject({
    status: 'True',
    message: `spec.network.vpc.secondaryCidrBlocks names ${SECONDARY}, which VPC ${user.vpcId} does not have: associate the block with the VPC or remove it from the list`,
  });

  await world.ec2.associateVpcBlock({ vpcId: user.vpcId, cidrBlock: SECONDARY });
  expect(await create(world)).toBe(true);
  expect((await reported())?.message).toBeUndefined();
});
