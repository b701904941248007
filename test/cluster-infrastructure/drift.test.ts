import { AuthorizeSecurityGroupIngressCommand, DescribeSecurityGroupsCommand } from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { ON_DRIFT } from '../../shared/kinds/rules/drift-policy.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;

beforeEach(async () => {
  world = await startWorld({ network: { vpc: { availabilityZoneUsageLimit: 1 } } });
  await create(world);
});
afterEach(() => world.close());

const nodeGroup = async () => {
  const Filters = [{ Name: 'group-name', Values: ['red-node'] }];
  const { SecurityGroups = [] } = await world.client.send(new DescribeSecurityGroupsCommand({ Filters }));
  return SecurityGroups[0] ?? {};
};

// What is done about each kind of drift is tried in test/drift.
it('what is only reported holds nothing up that the user asks for later', async () => {
  await world.objects.mutate(kinds.cluster, KEY, (cluster) => ({
    ...cluster,
    metadata: { ...cluster.metadata, annotations: { [ON_DRIFT]: 'Report' } },
  }));
  const { GroupId } = await nodeGroup();
  const rule = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '0.0.0.0/0' }] };
  await world.client.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions: [rule] }));
  await create(world);
  await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    spec: { ...current.spec, additionalTags: { team: 'blue' } },
  }));
  await create(world);
  expect((await nodeGroup()).Tags).toContainEqual({ Key: 'team', Value: 'blue' });
});
