/** A Service with a classic load balancer in a workload cluster, as part of the story of with-services.ts. */
import {
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  DescribeSecurityGroupsCommand,
} from '@aws-sdk/client-ec2';
import {
  DescribeLoadBalancersCommand,
  ElasticLoadBalancingClient,
  type LoadBalancerDescription,
} from '@aws-sdk/client-elastic-load-balancing';
import { ApiException, type CoreV1Api, type V1Service } from '@kubernetes/client-node';
import type { TestLaptop } from './laptop.ts';

const NAMESPACE = 'default';
const NAME = 'classic-story';
const PREFIX = 'service.beta.kubernetes.io/aws-load-balancer-';
const CERTIFICATE = 'arn:aws:acm:us-east-1:000000000000:certificate/1';

type Laptop = Pick<TestLaptop, 'access' | 'ec2' | 'until'>;

const describeAll = async ({ access }: Laptop): Promise<LoadBalancerDescription[]> => {
  const { region, awsUrl: endpoint, credentials } = access;
  const elb = new ElasticLoadBalancingClient({ region, endpoint, credentials });
  try {
    return (await elb.send(new DescribeLoadBalancersCommand({}))).LoadBalancerDescriptions ?? [];
  } finally {
    elb.destroy();
  }
};

const nameOf = ({ metadata }: V1Service): string => `a${metadata?.uid}`.replaceAll('-', '').slice(0, 32);

/** Replaces the annotations and the spec, and tries once more if a controller was faster. */
const change = async (
  workload: CoreV1Api,
  annotations: Record<string, string>,
  spec: V1Service['spec'],
): Promise<void> => {
  const { metadata, ...found } = await workload.readNamespacedService({ namespace: NAMESPACE, name: NAME });
  const prefixed = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`${PREFIX}${key}`, value]));
  const body = { ...found, metadata: { ...metadata, annotations: prefixed }, spec: { ...found.spec, ...spec } };
  try {
    await workload.replaceNamespacedService({ namespace: NAMESPACE, name: NAME, body });
  } catch (error) {
    if (!(error instanceof ApiException) || error.code !== 409) throw error;
    await change(workload, annotations, spec);
  }
};

/** Creates a user's group with the tags of the cluster. */
const giveGroup = async ({ ec2 }: Laptop, cluster: string, VpcId: string): Promise<string> => {
  const Tags = [{ Key: `kubernetes.io/cluster/${cluster}`, Value: 'shared' }];
  const TagSpecifications = [{ ResourceType: 'security-group' as const, Tags }];
  const input = { GroupName: 'given', Description: 'given to the cluster', VpcId, TagSpecifications };
  return (await ec2.send(new CreateSecurityGroupCommand(input))).GroupId ?? '';
};

interface ClassicStory {
  /** Call it after the Service was deleted: it checks the last remaining parts. */
  end(): Promise<void>;
}

/** Tests a classic load balancer until its Service is deleted. `requestPass` starts a pass over the cluster. */
export const liveWithClassic = async (
  laptop: Laptop,
  cluster: string,
  workload: CoreV1Api,
  requestPass: () => Promise<unknown>,
): Promise<ClassicStory> => {
  const body: V1Service = {
    metadata: { name: NAME, namespace: NAMESPACE },
    spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 18_085, nodePort: 31_085 }] },
  };
  const name = nameOf(await workload.createNamespacedService({ namespace: NAMESPACE, body }));
  const find = async () => (await describeAll(laptop)).find(({ LoadBalancerName }) => LoadBalancerName === name);
  await requestPass();
  await laptop.until('the classic load balancer has its nodes', async () => (await find())?.Instances?.length);

  const { Subnets: [first = ''] = [], VPCId = '' } = (await find()) ?? {};
  const given = await giveGroup(laptop, cluster, VPCId);
  const wishes = {
    ...{ 'ssl-cert': CERTIFICATE, 'ssl-negotiation-policy': 'ELBSecurityPolicy-TLS-1-2-2017-01' },
    ...{ 'proxy-protocol': '*', 'extra-security-groups': given, 'additional-resource-tags': 'team=a' },
    ...{ subnets: first, 'cross-zone-load-balancing-enabled': 'true' },
  };
  await change(workload, wishes, { loadBalancerSourceRanges: ['192.0.2.0/25'] });
  await requestPass();
  await laptop.until('the classic load balancer follows its Service', async () => {
    const { Subnets, SecurityGroups, ListenerDescriptions } = (await find()) ?? {};
    const [listener] = ListenerDescriptions ?? [];
    return Subnets?.length === 1 && SecurityGroups?.includes(given) && listener?.Listener?.Protocol === 'SSL';
  });

  await change(workload, {}, {});
  await requestPass();
  await laptop.until('it returns to its other subnets', async () => ((await find())?.Subnets?.length ?? 0) > 1);
  return {
    end: async () => {
      await laptop.until('its security group is gone', async () => {
        const { SecurityGroups = [] } = await laptop.ec2.send(new DescribeSecurityGroupsCommand({}));
        if (!SecurityGroups.some(({ GroupName }) => GroupName === `k8s-elb-${name}`)) return true;
        await requestPass();
        return false;
      });
      await laptop.ec2.send(new DeleteSecurityGroupCommand({ GroupId: given }));
    },
  };
};

export const deleteClassic = (workload: CoreV1Api): Promise<unknown> =>
  workload.deleteNamespacedService({ namespace: NAMESPACE, name: NAME });
