import type { Ec2Network } from '../../shared/providers/aws/network/api.ts';
import type { World } from './world.ts';

const inVpcs = (ids: string[]) => [{ name: 'vpc-id', values: ids }];

const inside = async (ec2: Ec2Network, vpcIds: string[]) => {
  if (vpcIds.length === 0) return { subnets: 0, routeTables: 0, natGateways: 0, securityGroups: 0 };
  const filters = inVpcs(vpcIds);
  const [subnets, tables, gateways, groups] = await Promise.all([
    ec2.describeSubnets(filters),
    ec2.describeRouteTables(filters),
    ec2.describeNatGateways(filters),
    ec2.describeSecurityGroups(filters),
  ]);
  return {
    subnets: subnets.length,
    routeTables: tables.filter(({ isMain }) => !isMain).length,
    natGateways: gateways.filter(({ state }) => state !== 'deleted' && state !== 'failed').length,
    securityGroups: groups.filter(({ name }) => name !== 'default').length,
  };
};

/** The number of resources of each type in the account, without its default network. */
export const inventory = async ({ ec2, account }: World) => {
  const vpcs = (await ec2.describeVpcs([{ name: 'is-default', values: ['false'] }])).map(({ id }) => id);
  const [gateways, addresses, rest] = await Promise.all([
    ec2.describeInternetGateways([]),
    ec2.describeAddresses([]),
    inside(ec2, vpcs),
  ]);
  const defaults = (await ec2.describeVpcs([{ name: 'is-default', values: ['true'] }])).map(({ id }) => id);
  return {
    vpcs: vpcs.length,
    internetGateways: gateways.filter(({ vpcId }) => vpcId === undefined || !defaults.includes(vpcId)).length,
    addresses: addresses.length,
    ...rest,
    loadBalancers: account.elbv2().loadBalancers.size + account.elb().loadBalancers.size,
    targetGroups: account.elbv2().targetGroups.size,
  };
};

export const NOTHING = {
  vpcs: 0,
  internetGateways: 0,
  addresses: 0,
  subnets: 0,
  routeTables: 0,
  natGateways: 0,
  securityGroups: 0,
  loadBalancers: 0,
  targetGroups: 0,
};

/** A cluster in three zones. */
export const ONE_CLUSTER = {
  vpcs: 1,
  internetGateways: 1,
  addresses: 3,
  subnets: 6,
  routeTables: 6,
  natGateways: 3,
  securityGroups: 4,
  loadBalancers: 1,
  targetGroups: 1,
};

/** A cluster in one zone. */
export const ONE_ZONE = { ...ONE_CLUSTER, addresses: 1, subnets: 2, routeTables: 2, natGateways: 1 };

/** The number of resources that only some clusters have. */
export const extras = async ({ ec2 }: World) => {
  const [egressOnly, carriers, endpoints, vpcs] = await Promise.all([
    ec2.describeEgressOnlyInternetGateways([]),
    ec2.describeCarrierGateways([]),
    ec2.describeVpcEndpoints([]),
    ec2.describeVpcs([]),
  ]);
  return {
    egressOnly: egressOnly.length,
    carriers: carriers.length,
    endpoints: endpoints.length,
    secondaryBlocks: vpcs.flatMap(({ secondary = [] }) => secondary).length,
  };
};

export const NO_EXTRAS = { egressOnly: 0, carriers: 0, endpoints: 0, secondaryBlocks: 0 };
