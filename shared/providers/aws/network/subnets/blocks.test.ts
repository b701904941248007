import { describe, expect, it } from 'vitest';
import { canonicalCidr } from '../../../../cidr.ts';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { ownershipTag } from '../../tags.ts';
import { desiredFrom } from '../desired.ts';
import type { ObservedNetwork } from '../model.ts';
import { withNetwork } from '../record.ts';
import { planSecondaryBlocks } from '../secondary-blocks/plan.ts';
import type { Situation } from '../situation.ts';
import { discoverSubnets } from '../users-vpc/discover.ts';
import { blockWarnings, unmanagedProblem } from '../users-vpc/problems.ts';
import type { ObservedVpc } from '../vpc/model.ts';
import type { ObservedSubnet } from './model.ts';
import { planSubnets } from './plan.ts';

/** CIDR blocks with host bits, which EC2 clears according to the documentation of CreateSubnet. */

const CLUSTER = { namespace: 'default', name: 'red' };

const AWS_CLUSTER: AWSCluster = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: { name: 'red', namespace: 'default' },
  spec: {
    network: {
      vpc: { id: 'vpc-1', cidrBlock: '10.0.3.0/16', secondaryCidrBlocks: [{ ipv4CidrBlock: '100.64.1.0/16' }] },
      subnets: [
        { id: 'public', availabilityZone: 'a', isPublic: true, cidrBlock: '10.0.1.5/24' },
        { id: 'private', availabilityZone: 'a', cidrBlock: '10.0.2.1/24' },
        { id: 'modern', availabilityZone: 'a', ipv6CidrBlock: '2001:DB8:0:1::9/64' },
      ],
    },
    controlPlaneLoadBalancer: { scheme: 'internal', loadBalancerType: 'nlb' },
  },
};

const NOTHING: Omit<ObservedNetwork, 'vpcs'> = {
  subnets: [],
  internetGateways: [],
  routeTables: [],
  natGateways: [],
  addresses: [],
  securityGroups: [],
  networkInterfaces: [],
};

const vpcOf = (tags: ObservedVpc['tags'], ...secondary: string[]): ObservedVpc => ({
  id: 'vpc-1',
  cidrBlock: '10.0.0.0/16',
  tags,
  secondary: secondary.map((cidrBlock) => ({ associationId: 'a-1', cidrBlock, isAssociated: false })),
});

const situationIn = (vpc: ObservedVpc, subnets: readonly ObservedSubnet[] = []) => {
  const observed = { ...NOTHING, vpcs: [vpc], subnets };
  const desired = desiredFrom({ cluster: CLUSTER, clusterUid: 'u-1', spec: AWS_CLUSTER.spec }, observed);
  return { desired, observed } as unknown as Situation;
};

const subnetsOf = (tags: ObservedSubnet['tags']): ObservedSubnet[] =>
  (AWS_CLUSTER.spec.network?.subnets ?? []).map(({ isPublic, cidrBlock, ipv6CidrBlock }, index) => ({
    id: `subnet-${index}`,
    vpcId: 'vpc-1',
    zone: 'a',
    cidrBlock: canonicalCidr(cidrBlock ?? ''),
    ...(ipv6CidrBlock ? { ipv6CidrBlock: canonicalCidr(ipv6CidrBlock) } : {}),
    mapsPublicIp: isPublic === true,
    assignsIpv6: ipv6CidrBlock !== undefined,
    hasDns64: ipv6CidrBlock !== undefined,
    tags,
  }));

describe('blocks with host bits', () => {
  const ours = vpcOf({ [ownershipTag('red')]: 'owned' });

  it('are requested in EC2’s form, and recognized afterwards', () => {
    const first = planSubnets(situationIn(ours), 'vpc-1').actions;
    const created = first.flatMap((action) => (action.type === 'CreateSubnet' ? [action] : []));
    const [publicTags = {}] = created.map(({ tags }) => tags);
    const second = planSubnets(situationIn(ours, subnetsOf(publicTags)), 'vpc-1');

    expect(created.map(({ cidrBlock, ipv6CidrBlock }) => cidrBlock || ipv6CidrBlock)).toEqual([
      '10.0.1.0/24',
      '10.0.2.0/24',
      '2001:db8:0:1::/64',
    ]);
    expect(second.actions.filter(({ type }) => type === 'CreateSubnet')).toEqual([]);
    expect(second.problem).toBeUndefined();
  });

  it('are recorded with the ids of their subnets', () => {
    const { desired, observed } = situationIn(ours, subnetsOf(ours.tags));
    const { network } = withNetwork(AWS_CLUSTER, desired, observed).spec;

    expect(network?.vpc?.cidrBlock).toBe('10.0.0.0/16');
    expect(network?.subnets?.map(({ resourceID }) => resourceID)).toEqual(['subnet-0', 'subnet-1', 'subnet-2']);
  });

  it('are associated with the VPC once', () => {
    const associated = vpcOf(ours.tags, '100.64.0.0/16');

    expect(planSecondaryBlocks(situationIn(ours), ours).actions).toEqual([
      { type: 'AssociateVpcBlock', vpcId: 'vpc-1', cidrBlock: '100.64.0.0/16' },
    ]);
    expect(planSecondaryBlocks(situationIn(associated), associated)).toEqual({
      actions: [],
      waiting: ['block 100.64.0.0/16 of the VPC'],
    });
  });

  it('are recognized in a VPC of the user', () => {
    const theirs = vpcOf({}, '100.64.0.0/16');
    const { desired, observed } = situationIn(theirs, subnetsOf({}));
    const discovered = discoverSubnets(desired, observed, theirs.id);
    // The message names the missing routes.
    const message = unmanagedProblem(desired, observed, theirs, discovered);

    expect(discovered.map(({ found }) => found?.id)).toEqual(['subnet-0', 'subnet-1', 'subnet-2']);
    expect(message).not.toContain('cidrBlock');
    expect(blockWarnings(desired, theirs)).toEqual([]);
  });
});
