import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { elasticIpPoolFields } from './aws-instance.ts';

/** Texts of the network of an AWSCluster. */

/** A rule of a security group. */
export const ingressRuleFields = {
  description: 'Description of the rule, as EC2 shows it.',
  protocol: 'IP protocol: tcp, udp, icmp, 58 (ICMPv6), 4 (IP in IP), 50 (ESP) or -1 (all).',
  fromPort: 'First port of the range, or the ICMP type. Use -1 for protocols without ports.',
  toPort: 'Last port of the range, or the ICMP code. Use -1 for protocols without ports.',
  cidrBlocks: 'IPv4 CIDR blocks to admit. Not allowed together with security groups.',
  ipv6CidrBlocks: 'IPv6 CIDR blocks to admit. Not allowed together with security groups.',
  sourceSecurityGroupIds: 'IDs of security groups to admit. Not allowed together with CIDR blocks.',
  sourceSecurityGroupRoles:
    "Roles of the cluster's own security groups to admit: bastion, node, controlplane, apiserver-lb or lb; node-eks-additional exists only with EKS. Without any source, a rule admits controlplane.",
  natGatewaysIPsSource:
    "Admits the public addresses of the cluster's NAT gateways. Not allowed together with other sources.",
} satisfies FieldTexts;

const ipamPoolFields = {
  id: 'ID of the IPAM pool. Either id or name is required.',
  name: 'Name of the IPAM pool. It must be unique.',
} satisfies FieldTexts;

const ipv6Text = [
  'Adds IPv6 to the VPC and its subnets. If the object is empty, Amazon assigns a block when the VPC is created; a VPC that exists must already have one.',
  {
    cidrBlock: 'IPv6 CIDR block of the VPC, from the pool in poolId. Filled in once the VPC has its block.',
    poolId: 'IPv6 address pool that cidrBlock belongs to. Required with cidrBlock unless the VPC already exists.',
    egressOnlyInternetGatewayId:
      'Egress-only internet gateway that private subnets reach the internet through over IPv6. Filled in by the controllers.',
    ipamPool: [
      'IPAM pool to take the IPv6 block from. Cannot be combined with cidrBlock or poolId.',
      { ...ipamPoolFields, netmaskLength: 'Prefix length of the block. Defaults to 56.' },
    ],
  },
] satisfies FieldText;

const vpcText = [
  'VPC of the cluster. Windlass creates one unless id names an existing VPC.',
  {
    id: 'ID of an existing VPC to use, or of the VPC that was created, which the controllers fill in. Cannot be changed once set.',
    cidrBlock:
      'IPv4 CIDR block of the VPC. Defaults to 10.0.0.0/16 unless id or ipamPool is set, and cannot be combined with ipamPool when the VPC is created.',
    secondaryCidrBlocks: [
      'Further IPv4 CIDR blocks of the VPC, such as a range for pods. Windlass adds them to a VPC that it creates; an existing VPC must have them.',
      { ipv4CidrBlock: 'IPv4 CIDR block. It must not overlap with the other blocks of the VPC.' },
    ],
    ipamPool: [
      'IPAM pool to take the IPv4 block of a new VPC from.',
      { ...ipamPoolFields, netmaskLength: 'Prefix length of the block. Defaults to 16.' },
    ],
    ipv6: ipv6Text,
    internetGatewayId: 'Internet gateway of the VPC. Filled in by the controllers.',
    carrierGatewayId: 'Carrier gateway of the VPC, for subnets in Wavelength Zones. Filled in by the controllers.',
    tags: 'Tags for a VPC that Windlass creates, in addition to additionalTags. An existing VPC does not get them.',
    availabilityZoneUsageLimit: 'Largest number of availability zones that subnets are laid out in. Defaults to 3.',
    availabilityZoneSelection:
      'How zones are chosen where the region has more than the limit: Ordered (alphabetically) or Random. Defaults to Ordered.',
    emptyRoutesDefaultVPCSecurityGroup:
      "Removes all rules from the VPC's default security group, which nothing here uses. Applies only to a VPC that Windlass creates; defaults to false.",
    privateDnsHostnameTypeOnLaunch:
      'Host names of instances in subnets that Windlass creates: ip-name or resource-name. If absent, AWS decides.',
    elasticIpPool: [
      'Pool of public IPv4 addresses that you brought to AWS, for NAT gateways and internet-facing network load balancers.',
      elasticIpPoolFields,
    ],
    subnetSchema:
      'How the CIDR block is split: PreferPrivate gives private subnets the larger ranges, PreferPublic public ones. Defaults to PreferPrivate.',
  },
] satisfies FieldText;

const subnetsText = [
  'Subnets of the cluster. If empty, one public and one private subnet in each chosen zone are created and listed here; in an existing VPC, list the subnets to use.',
  {
    id: 'In an existing VPC, the ID of a subnet (subnet-…). In a VPC that Windlass creates, a name of your choice for a subnet to create, which is its Name tag unless tags contain another.',
    resourceID: 'ID of the subnet in EC2. Filled in by the controllers.',
    cidrBlock: "IPv4 CIDR block. It must lie within the VPC's blocks and not overlap with other subnets.",
    ipv6CidrBlock: "IPv6 CIDR block, a /64. If absent and isIpv6 is true, a free one of the VPC's block is chosen.",
    availabilityZone: 'Zone of the subnet, such as us-east-1a.',
    isPublic:
      'Whether the subnet has a route to an internet gateway. Defaults to false; machines are placed in private subnets unless they have publicIP.',
    isIpv6: 'Whether the subnet has an IPv6 range. Needs spec.network.vpc.ipv6; defaults to false.',
    routeTableId: 'Route table of the subnet. Filled in by the controllers.',
    natGatewayId: 'NAT gateway in the subnet, if it is public. Filled in by the controllers.',
    tags: 'Tags for a subnet that Windlass creates, in addition to additionalTags.',
    zoneType:
      'Type of the zone: availability-zone, local-zone or wavelength-zone. Looked up if absent; load balancers, NAT gateways and control planes are placed in availability zones only.',
    parentZoneName:
      'Availability zone that a Local Zone or Wavelength Zone belongs to. Required with these types of zone.',
  },
] satisfies FieldText;

/** `spec.network`. */
export const networkSpecFields = {
  vpc: vpcText,
  subnets: subnetsText,
  cni: [
    'Ports that the CNI plugin needs between machines. Defaults to those of Calico; an empty object opens none.',
    {
      cniIngressRules: [
        'Ports to open among control plane and worker machines. Defaults to BGP (TCP 179) and IP in IP (protocol 4) if cni is absent.',
        {
          description: ingressRuleFields.description,
          protocol: ingressRuleFields.protocol,
          fromPort: ingressRuleFields.fromPort,
          toPort: ingressRuleFields.toPort,
        },
      ],
    },
  ],
  securityGroupOverrides:
    'IDs of security groups to use in place of created ones, by role: apiserver-lb, lb, controlplane, node or bastion. Only in an existing VPC; the rules of these groups are left as they are.',
  additionalControlPlaneIngressRules: [
    'Rules to add to the security group of the control plane machines.',
    ingressRuleFields,
  ],
  additionalNodeIngressRules: ['Rules to add to the security group of all machines of the cluster.', ingressRuleFields],
  nodePortIngressRuleCidrBlocks:
    'CIDR blocks that may reach node ports (30000-32767). Defaults to everyone, separately for IPv4 and IPv6.',
} satisfies FieldTexts;

/** A security group as found in the account. */
export const securityGroupFields = {
  id: 'ID of the security group.',
  name: 'Name of the security group.',
  ingressRule: ['Rules of the group. Not reported.', ingressRuleFields],
  tags: 'Tags of the security group.',
} satisfies FieldTexts;
