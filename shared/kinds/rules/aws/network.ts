import { contains, parseCidr } from '../../../cidr.ts';
import { invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { IngressRule, NetworkSpec, SubnetSpec, VpcSpec } from '../../schema/aws-network.ts';
import { type CidrField, cidrFields, validateCidrs, validateDisjoint } from './cidr.ts';

const VPC = 'spec.network.vpc';
const SUBNETS = 'spec.network.subnets';

const one = (field: string, cidr: string | undefined): CidrField[] => (cidr ? [{ field, cidr }] : []);

/** The IPv4 blocks of the VPC, the primary first. */
const vpcBlocks = ({ cidrBlock, secondaryCidrBlocks = [] }: VpcSpec): CidrField[] => [
  ...one(`${VPC}.cidrBlock`, cidrBlock),
  ...secondaryCidrBlocks.map(({ ipv4CidrBlock: cidr }, index) => ({
    field: `${VPC}.secondaryCidrBlocks[${index}].ipv4CidrBlock`,
    cidr,
  })),
];

const validateIpv6 = ({ id, ipv6 }: VpcSpec): FieldError[] => {
  if (!ipv6) return [];
  const field = `${VPC}.ipv6`;
  const { ipamPool, cidrBlock, poolId } = ipv6;
  const isNamed = ipamPool === undefined || Boolean(ipamPool.id) || Boolean(ipamPool.name);
  const block = cidrBlock === undefined ? undefined : parseCidr(cidrBlock);
  return [
    ...(isNamed ? [] : [invalidValue(`${field}.ipamPool`, ipamPool ?? null, 'ipamPool must have either id or name')]),
    ...(block && block.family !== 6
      ? [invalidValue(`${field}.cidrBlock`, cidrBlock ?? null, 'must be an IPv6 block')]
      : []),
    ...(!id && ipamPool && (cidrBlock || poolId)
      ? [invalidValue(field, ipv6, 'cidrBlock and poolId cannot be used together with ipamPool')]
      : []),
    ...(!id && Boolean(cidrBlock) !== Boolean(poolId)
      ? [invalidValue(`${field}.poolId`, poolId ?? null, 'cidrBlock and poolId must be set together')]
      : []),
  ];
};

const POOL_PREFIX = 'ipv4pool-ec2-';

const validateElasticIpPool = ({ elasticIpPool }: VpcSpec): FieldError[] => {
  const field = `${VPC}.elasticIpPool`;
  const { publicIpv4Pool: pool, publicIpv4PoolFallbackOrder: order } = elasticIpPool ?? {};
  const at = `${field}.publicIpv4PoolFallbackOrder`;
  const both = 'publicIpv4PoolFallbackOrder must be set when publicIpv4Pool is defined.';
  const neither = 'publicIpv4Pool must be set when publicIpv4PoolFallbackOrder is defined.';
  return [
    ...(pool !== undefined && order === undefined ? [invalidValue(at, null, both)] : []),
    ...(pool === undefined && order !== undefined ? [invalidValue(at, order, neither)] : []),
    ...(pool !== undefined && !pool.startsWith(POOL_PREFIX)
      ? [invalidValue(`${field}.publicIpv4Pool`, pool, `publicIpv4Pool must start with ${POOL_PREFIX}.`)]
      : []),
  ];
};

/** The rule for the id of a carrier gateway in the VPC at `field`, of a cluster or of a template. */
export const validateCarrierGateway = ({ carrierGatewayId: id }: VpcSpec, field: string): FieldError[] =>
  id === undefined || id.startsWith('cagw-')
    ? []
    : [invalidValue(`${field}.carrierGatewayId`, id, "Carrier Gateway ID must start with 'cagw-'")];

const validateVpc = (vpc: VpcSpec): FieldError[] => {
  const primary = vpcBlocks({ cidrBlock: vpc.cidrBlock });
  const secondary = vpcBlocks({ secondaryCidrBlocks: vpc.secondaryCidrBlocks });
  return [
    ...validateCidrs(primary, () => 'VPC CIDR block is invalid'),
    ...validateCidrs(secondary, () => 'secondary VPC CIDR block is invalid'),
    ...validateCidrs(one(`${VPC}.ipv6.cidrBlock`, vpc.ipv6?.cidrBlock), () => 'VPC IPv6 CIDR block is invalid'),
    ...validateDisjoint(vpcBlocks(vpc)),
    // Once the VPC exists, its block is recorded in addition to the pool from which it comes.
    ...(vpc.cidrBlock && vpc.ipamPool && !vpc.id
      ? [invalidValue(`${VPC}.cidrBlock`, vpc.cidrBlock, 'cidrBlock and ipamPool cannot be used together')]
      : []),
    ...(vpc.ipamPool && !vpc.ipamPool.id && !vpc.ipamPool.name
      ? [invalidValue(`${VPC}.ipamPool`, vpc.ipamPool, 'ipamPool must have either id or name')]
      : []),
    ...validateIpv6(vpc),
    ...validateElasticIpPool(vpc),
    ...validateCarrierGateway(vpc, VPC),
  ];
};

const subnetBlocks = (subnets: readonly SubnetSpec[], name: 'cidrBlock' | 'ipv6CidrBlock'): CidrField[] =>
  subnets.flatMap((subnet, index) => one(`${SUBNETS}[${index}].${name}`, subnet[name]));

/** Subnets of a VPC that will be created must be within its blocks; an existing VPC may have other blocks in AWS. */
const validateInside = (vpc: VpcSpec, blocks: readonly CidrField[]): FieldError[] => {
  const outer = vpcBlocks(vpc).flatMap(({ cidr }) => parseCidr(cidr) ?? []);
  if (vpc.id || outer.length === 0) return [];
  return blocks.flatMap(({ field, cidr }) => {
    const inner = parseCidr(cidr);
    const isInside = !inner || outer.some((range) => contains(range, inner));
    return isInside ? [] : [invalidValue(field, cidr, 'subnet CIDR block is not within the CIDR blocks of the VPC')];
  });
};

const validateSubnets = (vpc: VpcSpec, subnets: readonly SubnetSpec[]): FieldError[] => {
  const blocks = subnetBlocks(subnets, 'cidrBlock');
  const blocks6 = subnetBlocks(subnets, 'ipv6CidrBlock');
  return [
    ...subnets.flatMap(({ zoneType, parentZoneName }, index) =>
      zoneType !== undefined && zoneType !== 'availability-zone' && !parentZoneName
        ? [
            invalidValue(
              `${SUBNETS}[${index}].parentZoneName`,
              parentZoneName ?? null,
              "ParentZoneName must be set when ZoneType is 'local-zone' or 'wavelength-zone'.",
            ),
          ]
        : [],
    ),
    ...validateCidrs(blocks, () => 'subnet CIDR block is invalid'),
    ...validateCidrs(blocks6, () => 'subnet IPv6 CIDR block is invalid'),
    ...validateDisjoint([...blocks, ...blocks6]),
    ...validateInside(vpc, blocks),
  ];
};

/** A rule may specify its sources in only one way. */
export const validateIngressRules = (rules: readonly IngressRule[] = [], field: string): FieldError[] =>
  rules.flatMap((rule, index) => {
    const byCidr = rule.cidrBlocks !== undefined || rule.ipv6CidrBlocks !== undefined;
    const byGroup = rule.sourceSecurityGroupIds !== undefined || rule.sourceSecurityGroupRoles !== undefined;
    const at = `${field}[${index}]`;
    const nat =
      'natGatewaysIPsSource cannot be used together with CIDR blocks, security group IDs or security group roles';
    const mixed = 'CIDR blocks and security group IDs or security group roles cannot be used together';
    const blocks = [
      ...cidrFields(`${at}.cidrBlocks`, rule.cidrBlocks),
      ...cidrFields(`${at}.ipv6CidrBlocks`, rule.ipv6CidrBlocks),
    ];
    return [
      ...(rule.natGatewaysIPsSource && (byCidr || byGroup) ? [invalidValue(at, rule, nat)] : []),
      ...(!rule.natGatewaysIPsSource && byCidr && byGroup ? [invalidValue(at, rule, mixed)] : []),
      ...validateCidrs(blocks, () => 'CIDR block is invalid'),
    ];
  });

/** Rules for `spec.network` of an AWSCluster (CAPA's webhook; the rule about overlapping blocks is Windlass's own). */
export const validateNetwork = (network: NetworkSpec = {}): FieldError[] => {
  const { vpc = {}, subnets = [] } = network;
  const nodePorts = cidrFields('spec.network.nodePortIngressRuleCidrBlocks', network.nodePortIngressRuleCidrBlocks);
  return [
    ...validateVpc(vpc),
    ...validateSubnets(vpc, subnets),
    ...validateIngressRules(
      network.additionalControlPlaneIngressRules,
      'spec.network.additionalControlPlaneIngressRules',
    ),
    ...validateIngressRules(network.additionalNodeIngressRules, 'spec.network.additionalNodeIngressRules'),
    ...validateCidrs(nodePorts, () => 'CIDR block is invalid'),
  ];
};
