import { describe, expect, it } from 'vitest';
import type { AWSCluster, SubnetSpec } from '../../../../kinds/index.ts';
import { ownershipTag } from '../../tags.ts';
import { desiredFrom } from '../desired.ts';
import type { ObservedNetwork } from '../model.ts';
import { recordSubnets } from './record.ts';

const CLUSTER = { namespace: 'default', name: 'red' };
const OWN = { [ownershipTag('red')]: 'owned' };
const VPC = { id: 'vpc-1', cidrBlock: '10.0.0.0/16', tags: OWN };
const GENERATED = 'red-subnet-private-a';

/** The Name tag that an entry's subnet should have, before and after the entry is recorded, and the recorded entry. */
const recorded = (entry: Partial<SubnetSpec>, additionalTags?: Record<string, string>) => {
  const subnet = { id: GENERATED, cidrBlock: '10.0.0.0/24', availabilityZone: 'a', ...entry };
  const found = { id: 'subnet-00000001', vpcId: VPC.id, zone: 'a', cidrBlock: '10.0.0.0/24', tags: OWN };
  const observed = { vpcs: [VPC], subnets: [found], routeTables: [], natGateways: [], addresses: [] };
  const desire = ({ spec }: Pick<AWSCluster, 'spec'>) =>
    desiredFrom({ cluster: CLUSTER, clusterUid: 'u', spec }, observed as unknown as ObservedNetwork);
  const nameOf = (awsCluster: Pick<AWSCluster, 'spec'>) => desire(awsCluster).subnets[0]?.tags.Name;
  const before: AWSCluster = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { ...CLUSTER },
    spec: { additionalTags, network: { vpc: { id: VPC.id }, subnets: [subnet] } },
  };
  const situation = { desired: desire(before), observed, vpc: VPC, isOwn: true };
  const after = recordSubnets(before, situation as unknown as Parameters<typeof recordSubnets>[1]);
  const { id, resourceID, tags } = after.spec.network?.subnets?.[0] ?? {};
  return { names: [nameOf(before), nameOf(after)], id, resourceID, tags };
};

describe('the entry of a subnet', () => {
  it.each<{ reason: string; entry: Partial<SubnetSpec>; name: string; tags?: Record<string, string> }>([
    { reason: 'of the layout', entry: {}, name: GENERATED },
    { reason: 'of the user', entry: { id: 'mine' }, name: 'mine', tags: { Name: 'mine' } },
    { reason: 'that only looks like EC2’s', entry: { id: 'subnet-zone-1' }, name: GENERATED },
    {
      reason: 'beside a Name tag, as in clusters of upstream',
      entry: { id: 'mine', resourceID: 'subnet-00000001', tags: { Name: 'mine' } },
      name: 'mine',
      tags: { Name: 'mine' },
    },
    { reason: 'beside another Name tag', entry: { id: 'mine', tags: { Name: 'x' } }, name: 'x', tags: { Name: 'x' } },
    {
      reason: 'of an earlier version, which did not name subnets by it',
      entry: { id: 'mine', resourceID: 'subnet-00000001' },
      name: GENERATED,
    },
    {
      reason: 'that an earlier version has replaced',
      entry: { id: 'subnet-00000001', resourceID: 'subnet-00000001' },
      name: GENERATED,
    },
  ])('keeps its id $reason, and names the subnet $name', ({ entry, name, tags }) => {
    const id = entry.id ?? GENERATED;

    expect(recorded(entry)).toEqual({ names: [name, name], id, resourceID: 'subnet-00000001', tags });
  });

  it('does not take precedence over a Name among additionalTags', () => {
    expect(recorded({ id: 'mine' }, { Name: 'all' })).toMatchObject({ names: ['all', 'all'], tags: undefined });
  });
});
