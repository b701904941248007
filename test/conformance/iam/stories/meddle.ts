/**
 * Changes that a user makes outside Windlass to the load balancers of the cluster `spot`: a classic one and a network
 * load balancer.
 */
import {
  ApplySecurityGroupsToLoadBalancerCommand,
  AttachLoadBalancerToSubnetsCommand,
  ConfigureHealthCheckCommand,
  CreateLoadBalancerListenersCommand,
  DeleteLoadBalancerListenersCommand,
  DeregisterInstancesFromLoadBalancerCommand,
  ElasticLoadBalancingClient,
  RemoveTagsCommand,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  CreateTargetGroupCommand,
  DeregisterTargetsCommand,
  ElasticLoadBalancingV2Client,
  ModifyListenerCommand,
  ModifyLoadBalancerAttributesCommand,
  ModifyTargetGroupAttributesCommand,
  ModifyTargetGroupCommand,
  SetSecurityGroupsCommand,
  SetSubnetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { INFRASTRUCTURE } from '../../../end-to-end/laptop.ts';
import type { RecordedLaptop } from '../recording.ts';
import { MERGE } from './story.ts';

/** The second load balancer of the cluster `spot`. */
export const INSIDE = 'spot-inside';
const CLASSIC = 'spot-apiserver';

const clientOptions = ({ access }: RecordedLaptop) => ({
  region: access.region,
  endpoint: access.awsUrl,
  credentials: access.credentials,
});

const classicOf = ({ account }: RecordedLaptop) => {
  const found = account.elb().loadBalancers.get(CLASSIC);
  if (!found) throw new Error(`there is no classic load balancer ${CLASSIC}`);
  return found;
};

const insideOf = ({ account }: RecordedLaptop) => {
  const { loadBalancers, listeners, targetGroups } = account.elbv2();
  const balancer = [...loadBalancers.values()].find(({ name }) => name === INSIDE);
  const listener = [...listeners.values()].find((one) => one.loadBalancerArn === balancer?.arn && one.port === 6443);
  const group = targetGroups.get(listener?.targetGroupArn ?? '');
  if (!balancer || !listener || !group) throw new Error(`load balancer ${INSIDE} is not complete`);
  return { balancer, listener, group };
};

const defaultGroupOf = ({ account }: RecordedLaptop, vpcId: string): string =>
  account
    .ec2()
    .securityGroups.all()
    .find((group) => group.vpcId === vpcId && group.name === 'default')?.id ?? '';

const meddleWithClassic = async (laptop: RecordedLaptop): Promise<void> => {
  const elb = new ElasticLoadBalancingClient(clientOptions(laptop));
  const { vpcId, subnets, instances, healthCheck } = classicOf(laptop);
  const LoadBalancerName = CLASSIC;
  const [zone] = subnets;
  const others = laptop.account.ec2().subnets.all();
  const other = others.find((one) => one.vpcId === vpcId && one.zone === zone?.zone && one.id !== zone.subnetId);
  const Listeners = [{ Protocol: 'TCP', LoadBalancerPort: 6443, InstancePort: 22 }];
  const Instances = [...instances].map((InstanceId) => ({ InstanceId }));
  const SecurityGroups = [defaultGroupOf(laptop, vpcId)];
  await elb.send(new DeleteLoadBalancerListenersCommand({ LoadBalancerName, LoadBalancerPorts: [6443] }));
  await elb.send(new CreateLoadBalancerListenersCommand({ LoadBalancerName, Listeners }));
  await elb.send(
    new ConfigureHealthCheckCommand({ LoadBalancerName, HealthCheck: { ...healthCheck, Target: 'TCP:22' } }),
  );
  await elb.send(new DeregisterInstancesFromLoadBalancerCommand({ LoadBalancerName, Instances }));
  await elb.send(new ApplySecurityGroupsToLoadBalancerCommand({ LoadBalancerName, SecurityGroups }));
  await elb.send(new AttachLoadBalancerToSubnetsCommand({ LoadBalancerName, Subnets: [other?.id ?? ''] }));
  await elb.send(new RemoveTagsCommand({ LoadBalancerNames: [LoadBalancerName], Tags: [{ Key: 'Name' }] }));
  elb.destroy();
};

const meddleWithNetwork = async (laptop: RecordedLaptop): Promise<void> => {
  const elb = new ElasticLoadBalancingV2Client(clientOptions(laptop));
  const { balancer, listener, group } = insideOf(laptop);
  const { arn: LoadBalancerArn, vpcId: VpcId } = balancer;
  const TargetGroupArn = group.arn;
  const Subnets = balancer.subnets.slice(1).map(({ subnetId }) => subnetId);
  const Targets = [...group.targets.values()].map(({ instanceId }) => ({ Id: instanceId }));
  const attribute = (Key: string, Value: string) => [{ Key, Value }];
  const { TargetGroups: [foreign] = [] } = await elb.send(
    new CreateTargetGroupCommand({ Name: 'foreign', Protocol: 'TCP', Port: 22, VpcId }),
  );
  const DefaultActions = [{ Type: 'forward' as const, TargetGroupArn: foreign?.TargetGroupArn }];
  await elb.send(new SetSubnetsCommand({ LoadBalancerArn, Subnets }));
  await elb.send(new SetSecurityGroupsCommand({ LoadBalancerArn, SecurityGroups: [defaultGroupOf(laptop, VpcId)] }));
  await elb.send(
    new ModifyLoadBalancerAttributesCommand({
      LoadBalancerArn,
      Attributes: attribute('load_balancing.cross_zone.enabled', 'true'),
    }),
  );
  await elb.send(
    new ModifyTargetGroupAttributesCommand({
      TargetGroupArn,
      Attributes: attribute('preserve_client_ip.enabled', 'true'),
    }),
  );
  await elb.send(new ModifyTargetGroupCommand({ TargetGroupArn, HealthCheckIntervalSeconds: 30 }));
  await elb.send(new DeregisterTargetsCommand({ TargetGroupArn, Targets }));
  await elb.send(new ModifyListenerCommand({ ListenerArn: listener.arn, DefaultActions }));
  elb.destroy();
};

/** Whether both load balancers are in their desired state again and the removed listener is gone. */
const isMended = (laptop: RecordedLaptop): boolean => {
  const classic = classicOf(laptop);
  const { balancer, group } = insideOf(laptop);
  const listeners = [...laptop.account.elbv2().listeners.values()];
  return (
    classic.listeners.get(6443)?.InstancePort === 6443 &&
    classic.instances.size === 1 &&
    classic.tags.has('Name') &&
    balancer.subnets.length === 3 &&
    group.port === 6443 &&
    [...group.targets.values()].some(({ drainedAt }) => drainedAt === undefined) &&
    listeners.filter(({ loadBalancerArn }) => loadBalancerArn === balancer.arn).length === 1
  );
};

/** A change to the spec starts a reconciliation, which also repairs the user's changes. */
export const meddle = async (laptop: RecordedLaptop): Promise<void> => {
  await meddleWithClassic(laptop);
  await meddleWithNetwork(laptop);
  const spec = { secondaryControlPlaneLoadBalancer: { additionalListeners: null } };
  await laptop.api.send('PATCH', `${INFRASTRUCTURE}/awsclusters/spot`, { spec }, MERGE);
  await laptop.until('the load balancers are fixed', async () => isMended(laptop));
};
