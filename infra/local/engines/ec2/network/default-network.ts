import { blockAt, cidrOf } from '../../../../../shared/cidr.ts';
import type { Ec2 } from '../state.ts';
import { zonesOf } from '../zones.ts';
import { addInternetGateway } from './internet-gateways.ts';
import { addSubnet } from './subnets.ts';
import { addVpc } from './vpcs.ts';

const DEFAULT_BLOCK = cidrOf('172.31.0.0/16', 4);
const SUBNET_PREFIX = 20;

/**
 * Gives a region the network of a new account: the default VPC 172.31.0.0/16 with an internet gateway, a route to it
 * and a public /20 subnet in each zone.
 */
export const addDefaultNetwork = (ec2: Ec2): void => {
  const vpc = addVpc(ec2, DEFAULT_BLOCK, true);
  const gateway = addInternetGateway(ec2, vpc.id);
  const table = ec2.routeTables.all().find(({ vpcId }) => vpcId === vpc.id);
  table?.routes.push({ destination: '0.0.0.0/0', target: { kind: 'gateway', id: gateway.id } });
  zonesOf(ec2.place.region).forEach(({ name }, index) => {
    const cidr = blockAt(DEFAULT_BLOCK, SUBNET_PREFIX, index);
    addSubnet(ec2, { vpc, cidr, zone: name, isDefault: true });
  });
};
