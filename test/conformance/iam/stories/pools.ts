/** Pools that use every option of a group, with every kind of change. Their instances do not join. */
import {
  AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  SetDesiredCapacityCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateKeyPairCommand, CreateLaunchTemplateVersionCommand, DescribeImagesCommand } from '@aws-sdk/client-ec2';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { AWSMachinePool, Machine } from '../../../../shared/kinds/index.ts';
import { CORE, INFRASTRUCTURE } from '../../../end-to-end/laptop.ts';
import type { RecordedLaptop } from '../recording.ts';
import { MERGE, makeInfrastructure, remove, SECRETS, type Story, sweep } from './story.ts';

const NAME = 'groups';
const RESERVATION = 'cr-0fedcba9876543210';
const OWN_PARAMETER = '/cluster.x-k8s.io/images/groups';
const PUBLIC_PARAMETER = '/aws/service/canonical/ubuntu/server/24.04/stable/current/{{.Arch}}/hvm/ebs-gp3/ami-id';

type Spec = Omit<Partial<NonNullable<AWSMachinePool['spec']>>, 'awsLaunchTemplate'> & { awsLaunchTemplate?: object };

const groupOf = async ({ access }: RecordedLaptop, pool: string) => {
  const { region, awsUrl: endpoint, credentials } = access;
  const client = new AutoScalingClient({ region, endpoint, credentials });
  const AutoScalingGroupNames = [`default.${pool}`];
  const { AutoScalingGroups: [group] = [] } = await client.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames }),
  );
  return { client, group };
};

const awsPoolOf = (laptop: RecordedLaptop, pool: string) =>
  laptop.get<AWSMachinePool>(`${INFRASTRUCTURE}/awsmachinepools/${pool}`);

/** The conditions of the pools, for the message of a failure. */
const complaints = async (laptop: RecordedLaptop): Promise<string> => {
  const pools = await laptop.list<AWSMachinePool>(`${INFRASTRUCTURE}/awsmachinepools`);
  const lines = pools.flatMap(({ metadata: { name }, status }) =>
    (status?.conditions ?? []).map(({ type, status: is, message = '' }) => `${name}: ${type} is ${is}: ${message}`),
  );
  return lines.join('\n');
};

/** Waits for `look`, and reports the pools' conditions if it fails. */
const until = (laptop: RecordedLaptop, what: string, look: () => Promise<boolean>): Promise<unknown> =>
  laptop.until(what, look).catch(async (cause) => {
    throw new Error(`${String(cause)}\n${await complaints(laptop)}`, { cause });
  });

/** Stores bootstrap data with which instances do not join. */
const provideData = async (laptop: RecordedLaptop, name: string, format: string, value: string) => {
  const metadata = { name, namespace: 'default' };
  await laptop.api.send('POST', SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { format, value } });
  return { dataSecretName: name };
};

/** Creates a KubeadmConfig with which instances would join. */
export const provideConfig = async (laptop: RecordedLaptop, name: string) => {
  await laptop.api.send('POST', '/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/default/kubeadmconfigs', {
    apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmConfig',
    metadata: { name, namespace: 'default' },
    spec: { preKubeadmCommands: ['true'] },
  });
  return { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name } };
};

/** Creates a pool in a cluster. */
export const makePool = async (
  laptop: RecordedLaptop,
  clusterName: string,
  { name, replicas, spec, bootstrap }: { name: string; replicas: number; spec: Spec; bootstrap: object },
): Promise<void> => {
  const metadata = { name, namespace: 'default' };
  const awsLaunchTemplate = { instanceType: 't3.large', ...spec.awsLaunchTemplate };
  await laptop.api.send('POST', `${INFRASTRUCTURE}/awsmachinepools`, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachinePool',
    metadata,
    spec: { minSize: 0, maxSize: 3, ...spec, awsLaunchTemplate },
  });
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachinePool', name };
  await laptop.api.send('POST', `${CORE}/machinepools`, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    metadata,
    spec: {
      clusterName,
      replicas,
      template: { spec: { clusterName, version: 'v1.34.0', bootstrap, infrastructureRef } },
    },
  });
};

/** Whether the group exists and has its desired number of instances. */
const isComplete = async (laptop: RecordedLaptop, pool: string): Promise<boolean> => {
  const { client, group } = await groupOf(laptop, pool);
  client.destroy();
  const status = (await awsPoolOf(laptop, pool))?.status;
  return group !== undefined && status?.ready === true && status.replicas === group.DesiredCapacity;
};

/** Every kind of resource to which a group and its template can refer. */
const WHOLE: Spec = {
  availabilityZoneSubnetType: 'private',
  subnets: [{ filters: [{ name: 'tag:Name', values: [`${NAME}-subnet-private-*`] }] }],
  additionalTags: { team: 'blue' },
  capacityRebalance: true,
  suspendProcesses: { processes: { azRebalance: true } },
  lifecycleHooks: [
    {
      ...{ name: 'look', lifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING', defaultResult: 'CONTINUE' },
      notificationTargetARN: 'arn:aws:sqs:us-east-1:000000000000:launches',
      roleARN: 'arn:aws:iam::000000000000:role/hooks.cluster-api-provider-aws.sigs.k8s.io',
    },
  ],
  refreshPreferences: { minHealthyPercentage: 50 },
  awsLaunchTemplate: {
    iamInstanceProfile: 'nodes.cluster-api-provider-aws.sigs.k8s.io',
    imageLookupFormat: `ssm:${PUBLIC_PARAMETER}`,
    sshKeyName: 'groups',
    capacityReservationId: RESERVATION,
    additionalSecurityGroups: [{ filters: [{ name: 'group-name', values: [`${NAME}-lb`] }] }],
  },
};

const BUCKET = {
  name: 'cluster-api-provider-aws-groups',
  controlPlaneIAMInstanceProfile: 'control-plane.cluster-api-provider-aws.sigs.k8s.io',
  nodesIAMInstanceProfiles: ['nodes.cluster-api-provider-aws.sigs.k8s.io'],
};

/** Creates the user's resources to which the pools refer. */
const provide = async ({ account, access, ec2 }: RecordedLaptop): Promise<void> => {
  await ec2.send(new CreateKeyPairCommand({ KeyName: NAME }));
  account.settings.capacityReservations.push({ id: RESERVATION, instanceType: 't3.large', available: 9 });
  const { Images = [] } = await ec2.send(new DescribeImagesCommand({}));
  const ssm = new SSMClient({ region: access.region, endpoint: access.awsUrl, credentials: access.credentials });
  await ssm.send(new PutParameterCommand({ Name: OWN_PARAMETER, Value: Images[0]?.ImageId, Type: 'String' }));
  ssm.destroy();
};

/** A pool whose bootstrap data is in the cluster's bucket. */
const STORED: Spec = {
  ignition: { version: '3.4', storageType: 'ClusterObjectStore' },
  awsLaunchTemplate: {
    iamInstanceProfile: 'control-plane.cluster-api-provider-aws.sigs.k8s.io',
    imageLookupFormat: `ssm:${OWN_PARAMETER}`,
    spotMarketOptions: {},
  },
};

const patch = (laptop: RecordedLaptop, name: string, spec: Spec): Promise<unknown> =>
  laptop.api.send('PATCH', `${INFRASTRUCTURE}/awsmachinepools/${name}`, { spec }, MERGE);

const untilMade = async (laptop: RecordedLaptop, operations: readonly string[]): Promise<void> => {
  const isMade = (operation: string) =>
    laptop.calls.some((call) => call.operation === operation && call.functionName?.endsWith('-pool-group'));
  for (const operation of operations) await until(laptop, operation, async () => isMade(operation));
};

/** Changes sizes, tags, processes and hooks, and then the instance type, which replaces the instances. */
const change = async (laptop: RecordedLaptop, name: string): Promise<void> => {
  await untilMade(laptop, ['SuspendProcesses']);
  await patch(laptop, name, {
    ...{ maxSize: 4, additionalTags: { team: null as unknown as string, owner: 'green' } },
    ...{ suspendProcesses: { processes: { azRebalance: false } }, lifecycleHooks: [] },
  });
  const changes = [
    'UpdateAutoScalingGroup',
    'CreateOrUpdateTags',
    'DeleteTags',
    'ResumeProcesses',
    'DeleteLifecycleHook',
  ];
  await untilMade(laptop, changes);
  await patch(laptop, name, {
    lifecycleHooks: [{ name: 'later', lifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING' }],
    awsLaunchTemplate: { instanceType: 't3.xlarge' },
  });
  const begun = ['PutLifecycleHook', 'StartInstanceRefresh'];
  await untilMade(laptop, begun);
  await patch(laptop, name, { awsLaunchTemplate: { instanceType: 't3.large' } });
  await untilMade(laptop, ['CancelInstanceRefresh']);
};

/** Adds and removes a warm pool. Meanwhile the group launches an instance, which waits for the hook of warm pools. */
const warm = async (laptop: RecordedLaptop, name: string): Promise<void> => {
  const wish = (text: string | null) =>
    laptop.api.send(
      ...(['PATCH', `${INFRASTRUCTURE}/awsmachinepools/${name}`] as const),
      ...([{ metadata: { annotations: { 'windlass.dev/warm-pool': text } } }, MERGE] as const),
    );
  await wish('{"maxGroupPreparedCapacity":2,"preparationSeconds":30}');
  await untilMade(laptop, ['PutWarmPool']);
  await laptop.api.send('PATCH', `${CORE}/machinepools/${name}`, { spec: { replicas: 2 } }, MERGE);
  await untilMade(laptop, ['DescribeWarmPool', 'CompleteLifecycleAction']);
  await wish(null);
  await untilMade(laptop, ['DeleteWarmPool']);
};

/** Creates so many template versions that the first ones are no longer needed. */
const grow = async (laptop: RecordedLaptop, name: string): Promise<void> => {
  for (const size of [21, 22, 23, 24, 25, 26]) {
    const before = (await awsPoolOf(laptop, name))?.status?.launchTemplateVersion;
    await patch(laptop, name, { awsLaunchTemplate: { rootVolume: { size } } });
    await until(
      ...([laptop, `volumes of ${size} GiB`] as const),
      async () => (await awsPoolOf(laptop, name))?.status?.launchTemplateVersion !== before,
    );
  }
};

/** A user creates a template version with another instance type. */
const meddle = async (laptop: RecordedLaptop, name: string): Promise<void> => {
  const LaunchTemplateName = `default.${name}`;
  const LaunchTemplateData = { InstanceType: 't3.micro' as const };
  await laptop.ec2.send(
    new CreateLaunchTemplateVersionCommand({ LaunchTemplateName, SourceVersion: '$Latest', LaunchTemplateData }),
  );
  await patch(laptop, name, { maxSize: 2 });
  await untilMade(laptop, ['DescribeLaunchTemplateVersions']);
};

/** The group terminates an instance, which waits until its node is drained. */
const shrink = async (laptop: RecordedLaptop, name: string): Promise<void> => {
  const { client } = await groupOf(laptop, name);
  const AutoScalingGroupName = `default.${name}`;
  await client.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity: 0 }));
  client.destroy();
  const left = async (): Promise<Machine[]> =>
    (await laptop.machines(NAME)).filter((one) => one.metadata.name.startsWith(name));
  await until(laptop, 'its machines are gone', async () => (await left()).length === 0);
};

const pools: Story = {
  name: NAME,
  run: async (laptop) => {
    await makeInfrastructure(laptop, NAME, { s3Bucket: BUCKET });
    await provide(laptop);
    const plain = await provideData(laptop, 'groups-all', 'cloud-config', '#cloud-config\n');
    await makePool(laptop, NAME, { name: 'groups-all', replicas: 1, spec: WHOLE, bootstrap: plain });
    const stored = await provideData(laptop, 'groups-stored', 'ignition', '{"ignition":{"version":"3.4.0"}}');
    await makePool(laptop, NAME, { name: 'groups-stored', replicas: 0, spec: STORED, bootstrap: stored });
    await until(laptop, 'the pools are complete', async () =>
      (await Promise.all(['groups-all', 'groups-stored'].map((name) => isComplete(laptop, name)))).every(Boolean),
    );
    await warm(laptop, 'groups-all');
    await change(laptop, 'groups-all');
    await sweep(laptop);
    await grow(laptop, 'groups-stored');
    await meddle(laptop, 'groups-stored');
    await shrink(laptop, 'groups-all');
    await remove(laptop, NAME);
    for (const name of ['groups-all', 'groups-stored']) await laptop.api.send('DELETE', `${SECRETS}/${name}`);
  },
};

export const POOL_STORIES: readonly Story[] = [pools];
