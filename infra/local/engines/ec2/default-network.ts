import { addInternetGateway } from './internet-gateways.ts';
import type { Ec2 } from './state.ts';
import { addSubnet } from './subnets.ts';
import { addVpc } from './vpcs.ts';
import { zonesOf } from './zones.ts';

const DEFAULT_BASE = 172 * 2 ** 24 + 31 * 2 ** 16;
const SUBNET_PREFIX = 20;

/**
 * Gives a region what a new account finds in it: the default VPC 172.31.0.0/16 with an internet gateway, a route to it
 * and a public /20 subnet in each zone.
 */
export const addDefaultNetwork = (ec2: Ec2): void => {
  const vpc = addVpc(ec2, { base: DEFAULT_BASE, prefix: 16 }, true);
  const gateway = addInternetGateway(ec2, vpc.id);
  const table = ec2.routeTables.all().find(({ vpcId }) => vpcId === vpc.id);
  table?.routes.push({ destination: '0.0.0.0/0', target: { kind: 'gateway', id: gateway.id } });
  zonesOf(ec2.place.region).forEach(({ name }, index) => {
    const cidr = { base: DEFAULT_BASE + index * 2 ** (32 - SUBNET_PREFIX), prefix: SUBNET_PREFIX };
    addSubnet(ec2, { vpc, cidr, zone: name, isDefault: true });
  });
};
