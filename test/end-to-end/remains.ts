import {
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
  DescribeNetworkInterfacesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVolumesCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2';
import {
  DescribeLoadBalancersCommand,
  DescribeTargetGroupsCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CONTROL_PLANE, CORE, INFRASTRUCTURE, type TestLaptop } from './laptop.ts';

/** Kinds of which no object may remain after a cluster is deleted. */
export const COLLECTIONS = [
  ...['clusters', 'machinedeployments', 'machinesets', 'machines'].map((plural) => `${CORE}/${plural}`),
  ...['awsclusters', 'awsmachines', 'awsmachinetemplates'].map((plural) => `${INFRASTRUCTURE}/${plural}`),
  `${CONTROL_PLANE}/kubeadmcontrolplanes`,
  '/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/default/kubeadmconfigs',
  '/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/default/kubeadmconfigtemplates',
  '/api/v1/namespaces/default/secrets',
  '/api/v1/namespaces/default/configmaps',
  ...['clusterresourcesets', 'clusterresourcesetbindings'].map(
    (plural) => `/apis/addons.cluster.x-k8s.io/v1beta2/namespaces/default/${plural}`,
  ),
];

/**
 * What the account still contains of a cluster, except for the default VPC and terminated resources that AWS shows for
 * a while.
 */
export const remainsOf = async (laptop: TestLaptop): Promise<string[]> => {
  const { ec2, access } = laptop;
  const options = { region: access.region, endpoint: access.awsUrl, credentials: access.credentials };
  const elb = new ElasticLoadBalancingV2Client(options);
  const secrets = new SecretsManagerClient(options);
  const [vpcs, addresses, gateways, groups, volumes, interfaces, balancers, targets, kept] = await Promise.all([
    ec2.send(new DescribeVpcsCommand({ Filters: [{ Name: 'is-default', Values: ['false'] }] })),
    ec2.send(new DescribeAddressesCommand({})),
    ec2.send(new DescribeNatGatewaysCommand({})),
    ec2.send(new DescribeSecurityGroupsCommand({})),
    ec2.send(new DescribeVolumesCommand({})),
    ec2.send(new DescribeNetworkInterfacesCommand({})),
    elb.send(new DescribeLoadBalancersCommand({})),
    elb.send(new DescribeTargetGroupsCommand({})),
    secrets.send(new ListSecretsCommand({})),
  ]);
  return [
    ...(vpcs.Vpcs ?? []).map(({ VpcId }) => VpcId),
    ...(addresses.Addresses ?? []).map(({ AllocationId }) => AllocationId),
    ...(gateways.NatGateways ?? []).filter(({ State }) => State !== 'deleted').map(({ NatGatewayId }) => NatGatewayId),
    ...(groups.SecurityGroups ?? []).filter(({ GroupName }) => GroupName !== 'default').map(({ GroupId }) => GroupId),
    ...(volumes.Volumes ?? []).map(({ VolumeId }) => VolumeId),
    ...(interfaces.NetworkInterfaces ?? []).map(({ NetworkInterfaceId }) => NetworkInterfaceId),
    ...(balancers.LoadBalancers ?? []).map(({ LoadBalancerName }) => LoadBalancerName),
    ...(targets.TargetGroups ?? []).map(({ TargetGroupName }) => TargetGroupName),
    ...(kept.SecretList ?? []).map(({ Name }) => Name),
    ...(await laptop.instances()),
  ].map(String);
};
