/** Machines of the world's cluster: objects and the instances behind them, in a healthy state. */
import {
  DescribeImagesCommand,
  DescribeInstancesCommand,
  type EC2Client,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  type AWSCluster,
  type AWSMachine,
  type AWSMachineTemplate,
  kinds,
  type Machine,
  type MachineSet,
} from '../../shared/kinds/index.ts';
import { LABEL } from '../../shared/plan/labels.ts';
import { withObservation } from '../../shared/plan/machines/status.ts';
import { withInstance } from '../../shared/providers/aws/plan/launch/instance.ts';
import { instanceTags } from '../../shared/providers/aws/plan/launch/request.ts';
import { toTagList } from '../../shared/providers/aws/tags.ts';
import { KEY, NAMESPACE, type World } from '../cluster-infrastructure/world.ts';

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
const TYPE = 't3.large';

const labelsOf = (isControlPlane: boolean) => ({
  [LABEL.clusterName]: KEY.name,
  ...(isControlPlane ? { [LABEL.controlPlane]: '' } : { set: 'workers' }),
});

/** A set for the workers, so that a lost one is replaced. */
export const addSet = async ({ objects }: World): Promise<MachineSet> => {
  await objects.ensure(kinds.awsMachineTemplate, {
    apiVersion: `${INFRASTRUCTURE}/v1beta2`,
    kind: 'AWSMachineTemplate',
    metadata: { namespace: NAMESPACE, name: 'workers' },
    spec: { template: { spec: { instanceType: TYPE } } },
  } as AWSMachineTemplate);
  const { object } = await objects.ensure(kinds.machineSet, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { namespace: NAMESPACE, name: 'workers', labels: labelsOf(false) },
    spec: {
      clusterName: KEY.name,
      replicas: 1,
      selector: { matchLabels: { set: 'workers' } },
      template: {
        metadata: { labels: labelsOf(false) },
        spec: {
          clusterName: KEY.name,
          bootstrap: { dataSecretName: 'workers' },
          infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachineTemplate', name: 'workers' },
        },
      },
    },
  } as MachineSet);
  return object;
};

const writeObjects = async ({ objects, awsCluster }: World, name: string, owner: MachineSet | undefined) => {
  const labels = labelsOf(owner === undefined);
  const node = (await awsCluster()).status?.networkStatus?.securityGroups?.node?.id ?? '';
  const metadata = { namespace: NAMESPACE, name, labels };
  const { object: infrastructure } = await objects.ensure(kinds.awsMachine, {
    apiVersion: `${INFRASTRUCTURE}/v1beta2`,
    kind: 'AWSMachine',
    metadata,
    spec: {
      instanceType: TYPE,
      instanceMetadataOptions: { httpTokens: 'required' },
      securityGroupOverrides: { lb: node },
    },
  } as AWSMachine);
  const ownerReferences = owner && [
    {
      apiVersion: owner.apiVersion,
      kind: owner.kind,
      name: owner.metadata.name,
      uid: owner.metadata.uid ?? '',
      controller: true,
    },
  ];
  const { object: machine } = await objects.ensure(kinds.machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...metadata, ...(ownerReferences ? { ownerReferences } : {}) },
    spec: {
      clusterName: KEY.name,
      bootstrap: { dataSecretName: name },
      infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachine', name },
    },
  } as Machine);
  return { infrastructure, machine };
};

/**
 * Excludes the group for load balancers of Services: its deletion is tested, which AWS refuses while a machine has it.
 */
const groupsOf = ({ status }: AWSCluster, { metadata }: Machine): string[] => {
  const { node, controlplane } = status?.networkStatus?.securityGroups ?? {};
  const roles = LABEL.controlPlane in (metadata.labels ?? {}) ? [node, controlplane] : [node];
  return roles.flatMap((group) => group?.id ?? []);
};

/** The id of an image for `TYPE`. */
export const imageId = async (ec2: EC2Client): Promise<string | undefined> => {
  const Filters = [
    { Name: 'name', Values: ['capa-ami-ubuntu-24.04-v1.34.0-*'] },
    { Name: 'architecture', Values: ['x86_64'] },
  ];
  const { Images = [] } = await ec2.send(new DescribeImagesCommand({ Filters }));
  return Images[0]?.ImageId;
};

/** Starts an instance with the tags of a machine, in the first subnet of the cluster. */
export const startInstance = async (
  world: World,
  tagged: { machine: Machine; infrastructure: AWSMachine },
): Promise<string> => {
  const { client: ec2, clock } = world;
  const awsCluster = await world.awsCluster();
  const Tags = toTagList(instanceTags({ cluster: KEY, awsCluster, ...tagged }));
  const { Instances = [] } = await ec2.send(
    new RunInstancesCommand({
      ImageId: await imageId(ec2),
      InstanceType: TYPE,
      MinCount: 1,
      MaxCount: 1,
      SubnetId: awsCluster.spec.network?.subnets?.[0]?.resourceID,
      SecurityGroupIds: groupsOf(awsCluster, tagged.machine),
      MetadataOptions: { HttpTokens: 'required' },
      TagSpecifications: [{ ResourceType: 'instance', Tags }],
    }),
  );
  clock.advance(5);
  return Instances[0]?.InstanceId ?? '';
};

/** Adds a machine that runs and has a node. Returns the id of its instance. */
export const addMachine = async (world: World, name: string, owner?: MachineSet): Promise<string> => {
  const { objects, clock, client } = world;
  const key = { namespace: NAMESPACE, name };
  const made = await writeObjects(world, name, owner);
  const id = await startInstance(world, made);
  const { Reservations = [] } = await client.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
  const instance = Reservations[0]?.Instances?.[0] ?? {};
  const infrastructure = await objects.mutate(kinds.awsMachine, key, (current) => {
    const next = withInstance(current, instance, clock.now());
    const attached = { type: 'ELBAttached', status: 'True', lastTransitionTime: clock.now().toISOString() } as const;
    return { ...next, status: { ...next.status, conditions: [...(next.status?.conditions ?? []), attached] } };
  });
  await objects.mutate(kinds.machine, key, (current) => {
    const next = withObservation(current, { infrastructure }, clock.now());
    return { ...next, status: { ...next.status, nodeRef: { name } } };
  });
  return id;
};
