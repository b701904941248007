import { CreateSecurityGroupCommand } from '@aws-sdk/client-ec2';
import { CreateLoadBalancerCommand as CreateClassicCommand } from '@aws-sdk/client-elastic-load-balancing';
import { CreateLoadBalancerCommand, CreateTargetGroupCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { inventory, NOTHING } from './inventory.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
let place: { vpcId: string; subnetId: string };
beforeEach(async () => {
  world = await startWorld();
  await create(world);
  const { vpc, subnets = [] } = (await world.awsCluster()).spec.network ?? {};
  place = { vpcId: vpc?.id ?? '', subnetId: subnets.find(({ isPublic }) => isPublic)?.resourceID ?? '' };
});
afterEach(() => world.close());

const tagsOf = (tags: Record<string, string>) => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
const OWNED = { [`kubernetes.io/cluster/${KEY.name}`]: 'owned' };
const CCM = { ...OWNED, 'kubernetes.io/service-name': 'default/web' };

const addClassic = async (name: string, tags: Record<string, string>) => {
  const group = { GroupName: `k8s-elb-${name}`, Description: 'of a Service', VpcId: place.vpcId };
  const { GroupId = '' } = await world.clients.ec2.send(
    new CreateSecurityGroupCommand({
      ...group,
      TagSpecifications: [{ ResourceType: 'security-group', Tags: tagsOf(OWNED) }],
    }),
  );
  const Listeners = [{ Protocol: 'TCP', LoadBalancerPort: 80, InstanceProtocol: 'TCP', InstancePort: 30080 }];
  const input = { LoadBalancerName: name, Listeners, Subnets: [place.subnetId], SecurityGroups: [GroupId] };
  await world.clients.elb.send(new CreateClassicCommand({ ...input, Tags: tagsOf(tags) }));
};

const addModern = async (name: string, tags: Record<string, string>) => {
  const { elbv2 } = world.clients;
  await elbv2.send(
    new CreateLoadBalancerCommand({ Name: name, Type: 'network', Subnets: [place.subnetId], Tags: tagsOf(tags) }),
  );
  const group = { Name: `${name}-tg`, Protocol: 'TCP' as const, Port: 80, VpcId: place.vpcId };
  await elbv2.send(new CreateTargetGroupCommand({ ...group, Tags: tagsOf(tags) }));
};

it('what controllers in the cluster made goes with the cluster, and each deletion is told', async () => {
  await addClassic('a1', CCM);
  await addModern('a2', { 'elbv2.k8s.aws/cluster': KEY.name });
  await askForDeletion(world);
  await remove(world);

  expect(await inventory(world)).toEqual(NOTHING);
  expect(world.account.elb().loadBalancers.size).toBe(0);
  const events = await world.objects.list(kinds.event, KEY.namespace);
  expect(events.map(({ message }) => message)).toContain(
    "Deleted classic load balancer a1, which the cluster's controllers made",
  );
});

it('what is kept, or belongs to others, stays and is named as what stands in the way', async () => {
  await addClassic('a1', CCM);
  await addModern('a2', { 'kubernetes.io/cluster/blue': 'owned', 'kubernetes.io/service-name': 'default/web' });
  await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations: { 'aws.cluster.x-k8s.io/external-resource-gc': 'false' } },
  }));
  await askForDeletion(world);
  await expect(remove(world, { passes: 3 })).rejects.toThrow('not deleted');

  const condition = (await world.awsCluster()).status?.conditions?.find(({ type }) => type === 'VpcReady');
  expect(condition?.message).toContain('(ELB a1)');
  expect(condition?.message).toContain('(ELB net/a2/');
  expect([world.account.elb().loadBalancers.size, world.account.elbv2().loadBalancers.size]).toEqual([1, 1]);
});
