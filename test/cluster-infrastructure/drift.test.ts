import {
  AuthorizeSecurityGroupIngressCommand,
  DeleteTagsCommand,
  DescribeSecurityGroupsCommand,
} from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { ON_DRIFT } from '../../shared/kinds/rules/drift-policy.ts';
import { askForDeletion, create, remove } from './steps.ts';
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

const setPolicy = (policies: string) =>
  world.objects.mutate(kinds.cluster, KEY, (cluster) => ({
    ...cluster,
    metadata: { ...cluster.metadata, annotations: { [ON_DRIFT]: policies } },
  }));

// test/drift covers the handling of each kind of drift.
it('drift that is only reported does not block later changes by the user', async () => {
  await setPolicy('Report');
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

describe('a VPC whose ownership tag was removed', () => {
  const untag = async () => {
    const id = (await world.awsCluster()).spec.network?.vpc?.id ?? '';
    const Tags = [{ Key: 'sigs.k8s.io/cluster-api-provider-aws/cluster/red' }];
    await world.client.send(new DeleteTagsCommand({ Resources: [id], Tags }));
    await askForDeletion(world);
    return id;
  };

  it('is deleted with its cluster if the policy would have restored the tag', async () => {
    await setPolicy('VpcOwnership=Repair');
    const id = await untag();
    await remove(world);
    expect(world.account.ec2().vpcs.find(id)).toBeUndefined();
  });

  it('is kept otherwise, and the resources that use it are named', async () => {
    const id = await untag();
    await expect(remove(world)).rejects.toThrow('not deleted');
    expect(world.account.ec2().vpcs.find(id)).toBeDefined();
    const { conditions = [] } = (await world.awsCluster()).status ?? {};
    expect(conditions.flatMap(({ message }) => message ?? []).join()).toMatch(/address eipalloc-\w+ .*in use/);
  });
});
