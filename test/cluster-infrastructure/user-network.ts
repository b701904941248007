/** A user's network: a VPC with a public and a private subnet in each of two zones, and one NAT gateway. */
import type { AWSCluster } from '../../shared/kinds/index.ts';
import type { Ec2Network } from '../../shared/providers/aws/network/api.ts';
import type { World } from './world.ts';

export interface UserNetwork {
  vpcId: string;
  publicIds: string[];
  privateIds: string[];
  privateTableId: string;
  mainTableId: string;
  natGatewayId: string;
}

type Spec = AWSCluster['spec'];

const MINE = { owner: 'platform-team' };
export const ZONES = ['us-east-1a', 'us-east-1b'];

const subnetsIn = (ec2: Ec2Network, vpcId: string, kind: string, from: number) =>
  Promise.all(
    ZONES.map((zone, index) =>
      ec2.createSubnet({ vpcId, zone, cidrBlock: `10.9.${from + index}.0/24`, tags: { ...MINE, Name: kind } }),
    ),
  );

/**
 * Creates the network. The public subnets have no route table of their own: the VPC's main table leads to the internet.
 */
export const makeUserNetwork = async ({ ec2 }: Pick<World, 'ec2'>, clientToken = 'mine'): Promise<UserNetwork> => {
  const vpcId = await ec2.createVpc({ cidrBlock: '10.9.0.0/16', tags: MINE });
  const publicIds = await subnetsIn(ec2, vpcId, 'public', 0);
  const privateIds = await subnetsIn(ec2, vpcId, 'private', 10);
  const internetGatewayId = await ec2.createInternetGateway(MINE);
  await ec2.attachInternetGateway({ internetGatewayId, vpcId });
  const [main] = await ec2.describeRouteTables([{ name: 'vpc-id', values: [vpcId] }]);
  const mainTableId = main?.id ?? '';
  await ec2.createRoute({ destination: '0.0.0.0/0', routeTableId: mainTableId, target: internetGatewayId });
  const allocationId = await ec2.allocateAddress(MINE);
  const subnetId = publicIds[0] ?? '';
  const natGatewayId = await ec2.createNatGateway({ subnetId, allocationId, clientToken, tags: MINE });
  const privateTableId = await ec2.createRouteTable({ vpcId, tags: MINE });
  await ec2.createRoute({ destination: '0.0.0.0/0', routeTableId: privateTableId, target: natGatewayId });
  for (const id of privateIds) await ec2.associateRouteTable({ routeTableId: privateTableId, subnetId: id });
  return { vpcId, publicIds, privateIds, privateTableId, mainTableId, natGatewayId };
};

/** The part of an AWSCluster that names it. */
export const networkSpec = ({ vpcId, publicIds, privateIds }: UserNetwork): Spec['network'] => ({
  vpc: { id: vpcId },
  subnets: [...publicIds, ...privateIds].map((id) => ({ id })),
});

/** EC2's description of a VPC with its tags, in a comparable form. */
export const portrait = async ({ ec2 }: World, vpcId: string) => {
  const inside = [{ name: 'vpc-id', values: [vpcId] }];
  const byId = <T extends { id: string }>(things: T[]) => things.sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    vpcs: await ec2.describeVpcs(inside),
    subnets: byId(await ec2.describeSubnets(inside)),
    tables: byId(await ec2.describeRouteTables(inside)),
    gateways: await ec2.describeInternetGateways([{ name: 'attachment.vpc-id', values: [vpcId] }]),
    natGateways: (await ec2.describeNatGateways(inside)).map(({ id, tags, subnetId }) => ({ id, tags, subnetId })),
    groups: byId(await ec2.describeSecurityGroups(inside)),
    addresses: (await ec2.describeAddresses([])).map(({ allocationId, tags }) => ({ allocationId, tags })),
  };
};
