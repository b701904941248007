/** Resources that a user provides, and resources that others create in a cluster's network. */
import { CreateSecurityGroupCommand, CreateVolumeCommand, type EC2Client } from '@aws-sdk/client-ec2';
import {
  CreateLoadBalancerCommand as CreateClassicCommand,
  ElasticLoadBalancingClient,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { attach } from '../../../../infra/local/engines/ec2/instances/volumes.ts';
import { createEc2Network } from '../../../../shared/providers/aws/network/api.ts';
import { OWNER_TAG, toTagList } from '../../../../shared/providers/aws/tags.ts';
import { makeUserNetwork, networkSpec } from '../../../cluster-infrastructure/user-network.ts';
import { CORE } from '../../../end-to-end/laptop.ts';
import type { RecordedLaptop } from '../recording.ts';
import { launch, launched } from './machines.ts';
import { makePool } from './pools.ts';
import { awsClusterOf, makeInfrastructure, remove, SECRETS, type Story, until } from './story.ts';

/**
 * The subnets of the user get tags, which are removed with the cluster. The load balancer has a security group of the
 * user.
 */
const broughtVpc: Story = {
  name: 'brought-vpc',
  run: async (laptop) => {
    const user = await makeUserNetwork({ ec2: createEc2Network(laptop.ec2, laptop.ec2) });
    const group = { GroupName: 'clients', Description: 'of the user', VpcId: user.vpcId };
    const { GroupId = '' } = await laptop.ec2.send(new CreateSecurityGroupCommand(group));
    const controlPlaneLoadBalancer = { loadBalancerType: 'nlb' as const, additionalSecurityGroups: [GroupId] };
    await makeInfrastructure(laptop, 'brought-vpc', { network: networkSpec(user), controlPlaneLoadBalancer });
    await remove(laptop, 'brought-vpc');
  },
};

const OTHER_ACCOUNT = '999999999999';
/** A key in the account that shares the network. */
export const OTHER_KEY = `arn:aws:kms:us-east-1:${OTHER_ACCOUNT}:key/99999999-2222-3333-4444-555555555555`;

/** Another account shares its VPC and subnets with this account, and permits it to encrypt with its key. */
const sharedVpc: Story = {
  name: 'shared-vpc',
  run: async (laptop) => {
    const name = 'shared-vpc';
    const user = await makeUserNetwork({ ec2: createEc2Network(laptop.ec2, laptop.ec2) }, name);
    const { vpcs, subnets } = laptop.account.ec2('us-east-1');
    vpcs.get(user.vpcId).sharedBy = OTHER_ACCOUNT;
    for (const id of [...user.publicIds, ...user.privateIds]) subnets.get(id).sharedBy = OTHER_ACCOUNT;
    await makeInfrastructure(laptop, name, { network: networkSpec(user), bastion: { enabled: true } });
    await launch(laptop, name, { rootVolume: { size: 20, encryptionKey: OTHER_KEY } }, name);
    await until(laptop, name, 'the machine is launched', () => launched(laptop, [name]));
    await laptop.api.send('DELETE', `${CORE}/machines/${name}`);
    await until(laptop, name, 'no machine is left', async () => (await laptop.machines(name)).length === 0);
    await remove(laptop, name);
    await laptop.api.send('DELETE', `${SECRETS}/${name}`);
  },
};

type Tags = Readonly<Record<string, string>>;

interface Place {
  vpcId: string;
  subnetId: string;
}

const OWNED: Tags = { 'kubernetes.io/cluster/garbage': 'owned' };
/**
 * The tags that the cloud controller manager sets for a Service, and those that the AWS Load Balancer Controller sets.
 */
const OF_A_SERVICE: Tags = { ...OWNED, 'kubernetes.io/service-name': 'default/web' };
const OF_THE_CONTROLLER: Tags = { 'elbv2.k8s.aws/cluster': 'garbage' };
const OF_THE_DRIVER: Tags = { ...OWNED, CSIVolumeName: 'pvc-1', 'ebs.csi.aws.com/cluster': 'true' };

const addClassic = async (ec2: EC2Client, elb: ElasticLoadBalancingClient, { vpcId, subnetId }: Place) => {
  const TagSpecifications = [{ ResourceType: 'security-group' as const, Tags: toTagList(OWNED) }];
  const group = { GroupName: 'k8s-elb-garbage', Description: 'of a Service', VpcId: vpcId, TagSpecifications };
  const { GroupId = '' } = await ec2.send(new CreateSecurityGroupCommand(group));
  const Listeners = [{ Protocol: 'TCP', LoadBalancerPort: 80, InstanceProtocol: 'TCP', InstancePort: 30080 }];
  const input = { LoadBalancerName: 'garbage-classic', Listeners, Subnets: [subnetId], SecurityGroups: [GroupId] };
  await elb.send(new CreateClassicCommand({ ...input, Tags: toTagList(OF_A_SERVICE) }));
};

const addModern = async (elb: ElasticLoadBalancingV2Client, Name: string, { vpcId, subnetId }: Place, tags: Tags) => {
  const Tags = toTagList(tags);
  await elb.send(new CreateLoadBalancerCommand({ Name, Type: 'network', Subnets: [subnetId], Tags }));
  await elb.send(new CreateTargetGroupCommand({ Name, Protocol: 'TCP', Port: 80, VpcId: vpcId, Tags }));
};

const makeGarbage = async ({ access, ec2 }: RecordedLaptop, place: Place): Promise<void> => {
  const options = { region: access.region, endpoint: access.awsUrl, credentials: access.credentials };
  const classic = new ElasticLoadBalancingClient(options);
  const modern = new ElasticLoadBalancingV2Client(options);
  await addClassic(ec2, classic, place);
  await addModern(modern, 'garbage-service', place, OF_A_SERVICE);
  await addModern(modern, 'garbage-ingress', place, OF_THE_CONTROLLER);
  classic.destroy();
  modern.destroy();
};

/** Creates a machine and a pool. Each of their instances gets a volume of a pod. */
const useVolumes = async (laptop: RecordedLaptop, name: string): Promise<void> => {
  const machine = `${name}-machine`;
  await launch(laptop, machine, {}, name);
  await makePool(laptop, name, { name: `${name}-pool`, replicas: 1, spec: {}, bootstrap: { dataSecretName: machine } });
  const ec2 = laptop.account.ec2('us-east-1');
  const instances = () => ec2.instances.all().filter(({ tags }) => tags.get(OWNER_TAG) === `default/${name}`);
  await until(laptop, name, 'the machine is launched', () => launched(laptop, [machine]));
  await until(laptop, name, 'the pool has an instance', async () => instances().length === 2);
  const TagSpecifications = [{ ResourceType: 'volume' as const, Tags: toTagList(OF_THE_DRIVER) }];
  for (const { id: instanceId } of instances()) {
    const volume = { AvailabilityZone: 'us-east-1a', Size: 8, VolumeType: 'gp3' as const, TagSpecifications };
    const { VolumeId: id = '' } = await laptop.ec2.send(new CreateVolumeCommand(volume));
    attach(ec2, { id }, instanceId);
  }
};

/** Resources that controllers in the cluster have created are deleted with it. */
const garbage: Story = {
  name: 'garbage',
  run: async (laptop) => {
    await makeInfrastructure(laptop, 'garbage', {}, { 'windlass.dev/volumes': 'Delete' });
    const { vpc, subnets = [] } = (await awsClusterOf(laptop, 'garbage')).spec.network ?? {};
    const subnetId = subnets.find(({ isPublic }) => isPublic)?.resourceID ?? '';
    await makeGarbage(laptop, { vpcId: vpc?.id ?? '', subnetId });
    await useVolumes(laptop, 'garbage');
    await remove(laptop, 'garbage');
    await laptop.api.send('DELETE', `${SECRETS}/garbage-machine`);
  },
};

export const BROUGHT_STORIES: readonly Story[] = [broughtVpc, sharedVpc, garbage];
