import { DescribeImagesCommand, RunInstancesCommand } from '@aws-sdk/client-ec2';
import { type AWSMachine, kinds, type Machine } from '../../shared/kinds/index.ts';
import { LABEL } from '../../shared/plan/labels.ts';
import { withLegacyCondition } from '../../shared/plan/status/legacy-conditions.ts';
import { buildTags, toTagList } from '../../shared/providers/aws/tags.ts';
import { KEY, NAMESPACE, type World } from './world.ts';

/** The tags that upstream gives a machine's instance when the uid is not known yet. */
const TAGS = buildTags({
  cluster: KEY,
  name: 'm',
  role: 'control-plane',
  extra: { MachineName: `${NAMESPACE}/m` },
});

/** A control plane machine that was registered long ago. */
export const addMachine = async (world: World, { hasIpv6 = false } = {}): Promise<string> => {
  const { Images = [] } = await world.clients.ec2.send(new DescribeImagesCommand({ Owners: ['819546954734'] }));
  const subnet = (await world.awsCluster()).spec.network?.subnets?.find(({ isPublic }) => !isPublic)?.resourceID;
  const { Instances = [] } = await world.clients.ec2.send(
    new RunInstancesCommand({
      MinCount: 1,
      MaxCount: 1,
      ImageId: Images.find(({ Architecture }) => Architecture === 'x86_64')?.ImageId,
      InstanceType: 't3.large',
      NetworkInterfaces: [
        { DeviceIndex: 0, SubnetId: subnet, ...(hasIpv6 ? { PrimaryIpv6: true, Ipv6AddressCount: 1 } : {}) },
      ],
      TagSpecifications: [{ ResourceType: 'instance', Tags: toTagList(TAGS) }],
    }),
  );
  const instanceID = Instances[0]?.InstanceId ?? '';
  world.clock.advance(60);
  const labels = { [LABEL.clusterName]: KEY.name, [LABEL.controlPlane]: '' };
  const metadata = { name: 'm', namespace: NAMESPACE, labels };
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'm' };
  await world.objects.ensure(kinds.machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...metadata, finalizers: ['machine.cluster.x-k8s.io'] },
    spec: { clusterName: KEY.name, bootstrap: { dataSecretName: 'x' }, infrastructureRef },
  } as Machine);
  await world.objects.ensure(kinds.awsMachine, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata,
    spec: { instanceType: 't3.large', instanceID },
  } as AWSMachine);
  await world.objects.mutate(kinds.awsMachine, { namespace: NAMESPACE, name: 'm' }, (current) =>
    withLegacyCondition(
      { ...current, status: { ...current.status, instanceState: 'running' } },
      { type: 'ELBAttached', status: 'True' },
      world.clock.now(),
    ),
  );
  return instanceID;
};
