import type * as sdk from '@aws-sdk/client-ec2';
import { blockAt, type Cidr, cidrOf, contains, formatCidr, overlaps, parseCidr } from '../../../../../shared/cidr.ts';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { Association, Vpc } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { allocate6, checkIpv6Pool } from './address-pools.ts';

const BLOCKS_OF_AMAZON = cidrOf('2001:db8::/32', 6);
const AMAZONS_PREFIX = 56;

/** Reads the CIDR block of a VPC or subnet; `range` is AWS's code for a block that is too large or too small. */
export const readBlock = (text: string | undefined, range: string): Cidr => {
  const cidr = parseCidr(text ?? '', 4);
  if (!cidr)
    throw new AwsFault(
      'InvalidParameterValue',
      `Value (${text}) for parameter cidrBlock is invalid. This is not a valid CIDR block.`,
    );
  if (cidr.prefix < 16 || cidr.prefix > 28) throw new AwsFault(range, `The CIDR '${text}' is invalid.`);
  return cidr;
};

/** Reads an IPv6 block. */
export const readBlock6 = (text: string): Cidr => {
  const block = parseCidr(text, 6);
  if (block) return block;
  const what = `Value (${text}) for parameter ipv6CidrBlock is invalid. This is not a valid IPv6 CIDR block.`;
  throw new AwsFault('InvalidParameterValue', what);
};

export type Ipv6Request = Pick<
  sdk.CreateVpcRequest,
  'AmazonProvidedIpv6CidrBlock' | 'Ipv6CidrBlock' | 'Ipv6Pool' | 'Ipv6IpamPoolId' | 'Ipv6NetmaskLength'
>;

/** The first of Amazon's blocks that no VPC has. They are in a documentation range, which is not routed. */
const amazonsBlock = (ec2: Ec2): Cidr => {
  const taken = ec2.vpcs.all().flatMap(({ ipv6 }) => ipv6.map(({ block }) => block));
  let index = 0;
  while (taken.some((other) => overlaps(other, blockAt(BLOCKS_OF_AMAZON, AMAZONS_PREFIX, index)))) index += 1;
  return blockAt(BLOCKS_OF_AMAZON, AMAZONS_PREFIX, index);
};

/** The requested IPv6 block; undefined if there is none. */
export const ipv6BlockOf = (ec2: Ec2, input: Ipv6Request): Association<Cidr> | undefined => {
  const id = ec2.newId('vpc-cidr-assoc');
  if (input.AmazonProvidedIpv6CidrBlock) return { id, block: amazonsBlock(ec2), pool: 'Amazon' };
  if (input.Ipv6IpamPoolId) {
    const block = allocate6(ec2, input.Ipv6IpamPoolId, input.Ipv6NetmaskLength);
    return { id, block, pool: 'IPAM Managed', ipamPoolId: input.Ipv6IpamPoolId };
  }
  if (!input.Ipv6CidrBlock) return undefined;
  const block = readBlock6(input.Ipv6CidrBlock);
  checkIpv6Pool(ec2, input.Ipv6Pool, block);
  return { id, block, pool: input.Ipv6Pool };
};

const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map((text) => cidrOf(text, 4));

const checkSecondary = (vpc: Vpc, cidr: Cidr): void => {
  const text = formatCidr(cidr);
  const blocks = [vpc.cidr, ...vpc.secondary.map(({ block }) => block)];
  if (blocks.some((other) => overlaps(other, cidr)))
    throw new AwsFault('InvalidVpc.Range', `The CIDR '${text}' conflicts with another block of the VPC.`);
  const homes = PRIVATE.filter((range) => contains(range, cidr));
  if (
    homes.length > 0 &&
    !homes.some((range) => contains(range, vpc.cidr)) &&
    PRIVATE.some((r) => contains(r, vpc.cidr))
  )
    throw new AwsFault(
      'InvalidVpc.Range',
      `The CIDR '${text}' is restricted. Use a CIDR from the same private address range as the current VPC CIDR, or use a publicly-routable CIDR.`,
    );
};

const checkCount = (ec2: Ec2, vpc: Vpc, count: number): void => {
  const limit = ec2.settings.quotas.blocksPerVpc;
  if (count >= limit)
    throw new AwsFault(
      'CidrLimitExceeded',
      `This network '${vpc.id}' has met its maximum number of allowed CIDRs: ${limit}`,
    );
};

const addLocalRoute = (ec2: Ec2, vpc: Vpc, destination: string): void => {
  for (const table of ec2.routeTables.all())
    if (table.vpcId === vpc.id) table.routes.unshift({ destination, target: { kind: 'local' } });
};

const removeLocalRoute = (ec2: Ec2, vpc: Vpc, destination: string): void => {
  for (const table of ec2.routeTables.all())
    if (table.vpcId === vpc.id) table.routes = table.routes.filter((route) => route.destination !== destination);
};

const associationView4 = ({ id, block }: Association<Cidr>, State: sdk.VpcCidrBlockStateCode = 'associated') => ({
  AssociationId: id,
  CidrBlock: formatCidr(block),
  CidrBlockState: { State },
});

const associationView6 = (
  ec2: Ec2,
  { id, block, pool }: Association<Cidr>,
  State: sdk.VpcCidrBlockStateCode = 'associated',
) => ({
  AssociationId: id,
  Ipv6CidrBlock: formatCidr(block),
  Ipv6CidrBlockState: { State },
  NetworkBorderGroup: ec2.place.region,
  Ipv6Pool: pool,
});

/** The blocks of a VPC in its description. */
export const blockViews = (ec2: Ec2, vpc: Vpc, state?: sdk.VpcCidrBlockStateCode) => ({
  CidrBlockAssociationSet: [{ id: vpc.cidrAssociationId, block: vpc.cidr }, ...vpc.secondary].map((one) =>
    associationView4(one),
  ),
  Ipv6CidrBlockAssociationSet: vpc.ipv6.map((one) => associationView6(ec2, one, state)),
});

const associate = (ec2: Ec2, input: sdk.AssociateVpcCidrBlockRequest): sdk.AssociateVpcCidrBlockResult => {
  const vpc = ec2.vpcs.get(input.VpcId);
  const ipv6 = ipv6BlockOf(ec2, input);
  if (ipv6) {
    checkCount(ec2, vpc, vpc.ipv6.length);
    vpc.ipv6 = [...vpc.ipv6, ipv6];
    addLocalRoute(ec2, vpc, formatCidr(ipv6.block));
    return { VpcId: vpc.id, Ipv6CidrBlockAssociation: associationView6(ec2, ipv6, 'associating') };
  }
  const block = readBlock(input.CidrBlock, 'InvalidVpc.Range');
  checkSecondary(vpc, block);
  checkCount(ec2, vpc, vpc.secondary.length + 1);
  const association = { id: ec2.newId('vpc-cidr-assoc'), block };
  vpc.secondary = [...vpc.secondary, association];
  addLocalRoute(ec2, vpc, formatCidr(block));
  return { VpcId: vpc.id, CidrBlockAssociation: associationView4(association, 'associating') };
};

const inUse = (vpc: Vpc, block: string): AwsFault =>
  new AwsFault('InvalidCidrBlock.InUse', `The vpc ${vpc.id} currently has a subnet within CIDR block ${block}`);

const drop4 = (ec2: Ec2, vpc: Vpc, association: Association<Cidr>): sdk.DisassociateVpcCidrBlockResult => {
  const isIn = ec2.subnets
    .all()
    .some(({ vpcId, cidr }) => vpcId === vpc.id && cidr && contains(association.block, cidr));
  if (isIn) throw inUse(vpc, formatCidr(association.block));
  vpc.secondary = vpc.secondary.filter((one) => one !== association);
  removeLocalRoute(ec2, vpc, formatCidr(association.block));
  return { VpcId: vpc.id, CidrBlockAssociation: associationView4(association, 'disassociating') };
};

const drop6 = (ec2: Ec2, vpc: Vpc, association: Association<Cidr>): sdk.DisassociateVpcCidrBlockResult => {
  const subnets = ec2.subnets.all().filter(({ vpcId }) => vpcId === vpc.id);
  if (subnets.some(({ ipv6 }) => ipv6 && contains(association.block, ipv6.block)))
    throw inUse(vpc, formatCidr(association.block));
  vpc.ipv6 = vpc.ipv6.filter((one) => one !== association);
  removeLocalRoute(ec2, vpc, formatCidr(association.block));
  return { VpcId: vpc.id, Ipv6CidrBlockAssociation: associationView6(ec2, association, 'disassociating') };
};

const disassociate = (ec2: Ec2, id: string | undefined): sdk.DisassociateVpcCidrBlockResult => {
  for (const vpc of ec2.vpcs.all()) {
    if (vpc.cidrAssociationId === id)
      throw new AwsFault(
        'OperationNotPermitted',
        `The vpc CIDR block with association ID ${id} may not be disassociated. It is the primary IPv4 CIDR block of the VPC`,
      );
    const ipv4 = vpc.secondary.find((one) => one.id === id);
    if (ipv4) return drop4(ec2, vpc, ipv4);
    const ipv6 = vpc.ipv6.find((one) => one.id === id);
    if (ipv6) return drop6(ec2, vpc, ipv6);
  }
  const what = `The vpc CIDR block association ID '${id}' does not exist`;
  throw new AwsFault('InvalidVpcCidrBlockAssociationID.NotFound', what);
};

const KNOWN = [
  'VpcId',
  'CidrBlock',
  'AmazonProvidedIpv6CidrBlock',
  'Ipv6CidrBlock',
  'Ipv6Pool',
  'Ipv6IpamPoolId',
  'Ipv6NetmaskLength',
];

/** Additional blocks of a VPC. Each is associated immediately. */
export const vpcBlockActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  AssociateVpcCidrBlock: (input) => {
    onlySimulated('ec2:AssociateVpcCidrBlock', input, KNOWN);
    return associate(ec2, input);
  },
  DisassociateVpcCidrBlock: ({ AssociationId }) => disassociate(ec2, AssociationId),
});
