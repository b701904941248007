/** A cluster with a classic load balancer in a VPC of the user, which must be unchanged at the end. */
import {
  AssociateRouteTableCommand,
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { CLUSTER, clusterObjects, DEPLOYMENT, type Sizes } from '../user.ts';
import { healthChecks } from './health-checks.ts';
import type { Step } from './step.ts';

const ZONES = ['us-east-1a', 'us-east-1b'];
const NETWORK = '10.9';
/** The user's own tags, which must not be removed. */
const TAGS = [{ Key: 'owner', Value: 'user' }];

interface Network {
  id: string;
  subnets: readonly string[];
}

/** A route table with a default route, for some subnets. */
const routeOut = async (
  ec2: EC2Client,
  VpcId: string,
  subnets: readonly string[],
  GatewayId?: string,
): Promise<void> => {
  const { RouteTable } = await ec2.send(new CreateRouteTableCommand({ VpcId }));
  const RouteTableId = String(RouteTable?.RouteTableId);
  if (GatewayId !== undefined)
    await ec2.send(new CreateRouteCommand({ RouteTableId, DestinationCidrBlock: '0.0.0.0/0', GatewayId }));
  for (const SubnetId of subnets) await ec2.send(new AssociateRouteTableCommand({ RouteTableId, SubnetId }));
};

/** A public and a private subnet in each zone. */
const makeNetwork = async (): Promise<Network> => {
  const ec2 = new EC2Client({});
  const { Vpc } = await ec2.send(
    new CreateVpcCommand({
      CidrBlock: `${NETWORK}.0.0/16`,
      TagSpecifications: [{ ResourceType: 'vpc', Tags: TAGS }],
    }),
  );
  const VpcId = String(Vpc?.VpcId);
  const subnetsFrom = async (first: number): Promise<string[]> => {
    const ids: string[] = [];
    for (const [index, AvailabilityZone] of ZONES.entries()) {
      const CidrBlock = `${NETWORK}.${first + index}.0/24`;
      const { Subnet } = await ec2.send(new CreateSubnetCommand({ VpcId, CidrBlock, AvailabilityZone }));
      ids.push(String(Subnet?.SubnetId));
    }
    return ids;
  };
  const [open, closed] = [await subnetsFrom(0), await subnetsFrom(10)];
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}));
  const InternetGatewayId = String(InternetGateway?.InternetGatewayId);
  await ec2.send(new AttachInternetGatewayCommand({ InternetGatewayId, VpcId }));
  await routeOut(ec2, VpcId, open, InternetGatewayId);
  await routeOut(ec2, VpcId, closed);
  return { id: VpcId, subnets: [...open, ...closed] };
};

const inNetwork = ({ id, subnets }: Network, sizes: Sizes): KubeObject[] =>
  clusterObjects(sizes).map((object) => {
    if (object.kind !== 'AWSCluster') return object;
    const { spec, ...rest } = object as AWSCluster;
    const network = { vpc: { id }, subnets: subnets.map((subnet) => ({ id: subnet })) };
    const controlPlaneLoadBalancer = { loadBalancerType: 'classic', healthCheckProtocol: 'SSL' } as const;
    return { ...rest, spec: { ...spec, network, controlPlaneLoadBalancer } };
  });

const RULE = {
  description: 'metrics',
  protocol: 'tcp',
  fromPort: 9100,
  toPort: 9100,
  cidrBlocks: [`${NETWORK}.0.0/16`],
};

/** Waits for this number of rules that open this port in security groups of the user's VPC. */
const ruled =
  (count: number): NonNullable<Step['lacks']> =>
  async (_, { account }) => {
    const rules = account
      .ec2()
      .securityGroupRules.all()
      .filter(({ fromPort }) => fromPort === RULE.fromPort);
    return rules.length === count ? undefined : `there are ${rules.length} rules for port ${RULE.fromPort}`;
  };

const changeRules = (additionalNodeIngressRules: readonly object[]) => ({
  spec: {
    additionalTags: { tier: additionalNodeIngressRules.length > 0 ? 'a' : null },
    network: { additionalNodeIngressRules },
  },
});

export const clusterInUsersVpc = (sizes: Sizes): Step[] => {
  let network: Network | undefined;
  return [
    {
      name: 'create a cluster in a VPC of the user',
      sizes,
      prepare: async () => {
        network = await makeNetwork();
      },
      act: async (user) => {
        if (network === undefined) throw new Error('there is no VPC');
        for (const object of [...inNetwork(network, sizes), ...healthChecks()]) await user.create(object);
      },
    },
    {
      name: 'add a tag and a rule',
      sizes,
      act: (user) => user.patch('AWSCluster', CLUSTER, changeRules([RULE])),
      lacks: ruled(1),
    },
    {
      name: 'remove them, and roll the workers',
      sizes,
      act: async (user) => {
        await user.patch('AWSCluster', CLUSTER, changeRules([]));
        await user.patch('MachineDeployment', DEPLOYMENT, { spec: { rollout: { after: new Date().toISOString() } } });
      },
      lacks: ruled(0),
    },
  ];
};
