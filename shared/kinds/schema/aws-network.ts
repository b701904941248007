import * as z from 'zod';
import { flag, int64, keyedList, list, options, struct, textMap } from './fields.ts';

/** The network parts of the AWS kinds: `AWSCluster.spec.network`, and the network in its status. */

export const tags = textMap;

const texts = list(z.string());

const securityGroupRole = z.enum(['bastion', 'node', 'controlplane', 'apiserver-lb', 'lb', 'node-eks-additional']);

export const securityGroupOverrides = textMap;

const ingressRule = struct(
  {
    description: z.string(),
    protocol: z.enum(['-1', '4', 'tcp', 'udp', 'icmp', '58', '50']),
    fromPort: int64(),
    toPort: int64(),
  },
  {
    cidrBlocks: texts,
    ipv6CidrBlocks: texts,
    sourceSecurityGroupIds: texts,
    sourceSecurityGroupRoles: list(securityGroupRole),
    natGatewaysIPsSource: flag,
  },
);

export const ingressRules = list(ingressRule);

const ipamPool = options({ id: z.string(), name: z.string(), netmaskLength: int64() });

export const elasticIpPool = options({
  publicIpv4Pool: z.string().max(30),
  publicIpv4PoolFallbackOrder: z.enum(['amazon-pool', 'none']),
});

const vpc = options({
  id: z.string(),
  cidrBlock: z.string(),
  secondaryCidrBlocks: list(struct({ ipv4CidrBlock: z.string().min(1) }, {})),
  ipamPool,
  ipv6: options({
    cidrBlock: z.string(),
    poolId: z.string(),
    egressOnlyInternetGatewayId: z.string(),
    ipamPool,
  }),
  internetGatewayId: z.string(),
  carrierGatewayId: z.string(),
  tags,
  availabilityZoneUsageLimit: z.int().min(1).default(3),
  availabilityZoneSelection: z.enum(['Ordered', 'Random']).default('Ordered'),
  emptyRoutesDefaultVPCSecurityGroup: flag,
  privateDnsHostnameTypeOnLaunch: z.enum(['ip-name', 'resource-name']),
  elasticIpPool,
  subnetSchema: z.enum(['PreferPrivate', 'PreferPublic']).default('PreferPrivate'),
});

const subnet = struct(
  { id: z.string() },
  {
    resourceID: z.string(),
    cidrBlock: z.string(),
    ipv6CidrBlock: z.string(),
    availabilityZone: z.string(),
    isPublic: flag,
    isIpv6: flag,
    routeTableId: z.string(),
    natGatewayId: z.string(),
    tags,
    zoneType: z.enum(['availability-zone', 'local-zone', 'wavelength-zone']),
    parentZoneName: z.string(),
  },
);

const cniIngressRule = struct(
  { description: z.string(), protocol: z.string(), fromPort: int64(), toPort: int64() },
  {},
);

export const networkSpec = options({
  vpc,
  subnets: keyedList(['id'], subnet),
  cni: options({ cniIngressRules: list(cniIngressRule) }),
  securityGroupOverrides,
  additionalControlPlaneIngressRules: ingressRules,
  additionalNodeIngressRules: ingressRules,
  nodePortIngressRuleCidrBlocks: texts,
});

/** A security group as observed in the account. */
export const securityGroup = struct({ id: z.string(), name: z.string() }, { ingressRule: ingressRules, tags });

export type NetworkSpec = z.input<typeof networkSpec>;
export type VpcSpec = z.input<typeof vpc>;
export type SubnetSpec = z.input<typeof subnet>;
export type IngressRule = z.input<typeof ingressRule>;
export type CniIngressRule = z.input<typeof cniIngressRule>;
