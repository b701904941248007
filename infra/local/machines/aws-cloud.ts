import { type AutoScalingClient, DescribeAutoScalingInstancesCommand } from '@aws-sdk/client-auto-scaling';
import {
  DescribeImagesCommand,
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  type DescribeInstancesCommandOutput,
  type EC2Client,
  type Instance as Ec2Instance,
} from '@aws-sdk/client-ec2';
import { DeleteSecretCommand, GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DeleteParameterCommand, GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { makeHostNames } from './host-names.ts';
import type { Cloud, Instance, InstanceState, SecretChunks } from './ports.ts';

const PAGE_SIZE = 1000;

/**
 * us-east-1a → us-east-1; the names of local and wavelength zones (us-east-1-bos-1a) also begin with their region's.
 */
const regionOf = (zone: string): string => zone.match(/^[a-z]+(?:-[a-z]+)+-\d+/)?.[0] ?? zone;

const defaultDnsName = (ip: string, region: string): string =>
  `ip-${ip.replaceAll('.', '-')}.${region === 'us-east-1' ? 'ec2' : `${region}.compute`}.internal`;

const toInstance = (source: Ec2Instance): Instance | undefined => {
  const zone = source.Placement?.AvailabilityZone;
  if (!source.InstanceId || !source.PrivateIpAddress || !zone) return undefined;
  return {
    id: source.InstanceId,
    vpcId: source.VpcId ?? '',
    region: regionOf(zone),
    availabilityZone: zone,
    imageId: source.ImageId ?? '',
    instanceType: source.InstanceType ?? '',
    privateIp: source.PrivateIpAddress,
    privateDnsName: source.PrivateDnsName || defaultDnsName(source.PrivateIpAddress, regionOf(zone)),
    publicIp: source.PublicIpAddress || undefined,
    publicDnsName: source.PublicDnsName || undefined,
  };
};

const isGone = (error: unknown): boolean =>
  error instanceof Error && ['InvalidAMIID.NotFound', 'InvalidAMIID.Unavailable'].includes(error.name);

const UNADDRESSED: Instance = {
  id: '',
  vpcId: '',
  region: '',
  availabilityZone: '',
  imageId: '',
  instanceType: '',
  privateIp: '',
  privateDnsName: '',
};

/**
 * The result of `autoscaling/target-lifecycle-state` in the instance metadata: instances of a warm pool are not in
 * service yet.
 */
const isInService = async (client: AutoScalingClient, instanceId: string): Promise<boolean> => {
  const { AutoScalingInstances: [found] = [] } = await client.send(
    new DescribeAutoScalingInstancesCommand({ InstanceIds: [instanceId] }),
  );
  return /^(Pending|InService)/.test(found?.LifecycleState ?? '');
};

/** All instances, as DescribeInstances reports them. */
const describeAll = async (ec2: EC2Client): Promise<{ instance: Instance; state: InstanceState }[]> => {
  const found: { instance: Instance; state: InstanceState }[] = [];
  let token: string | undefined;
  do {
    const page: DescribeInstancesCommandOutput = await ec2.send(
      new DescribeInstancesCommand({ MaxResults: PAGE_SIZE, NextToken: token }),
    );
    for (const source of (page.Reservations ?? []).flatMap(({ Instances }) => Instances ?? [])) {
      // A terminated instance no longer has an address, but its state still matters.
      const instance = toInstance(source) ?? { ...UNADDRESSED, id: source.InstanceId ?? '' };
      found.push({ instance, state: (source.State?.Name ?? 'pending') as InstanceState });
    }
    token = page.NextToken;
  } while (token);
  return found;
};

const imageName = async (ec2: EC2Client, imageId: string): Promise<string | undefined> => {
  try {
    const { Images } = await ec2.send(new DescribeImagesCommand({ ImageIds: [imageId] }));
    return Images?.[0]?.Name;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
};

/** The cloud behind an SDK client, at any endpoint. Throws EC2's errors. */
export const makeCloud = (ec2: EC2Client, autoScaling?: AutoScalingClient): Cloud => {
  const named = makeHostNames(ec2);
  return {
    ...(autoScaling ? { isInService: (id) => isInService(autoScaling, id) } : {}),
    instances: async () => {
      const found = await describeAll(ec2);
      const instances = await named(found.map(({ instance }) => instance));
      return found.map(({ state }, index) => ({ instance: instances[index] ?? UNADDRESSED, state }));
    },
    userData: async (instanceId) => {
      const command = new DescribeInstanceAttributeCommand({ InstanceId: instanceId, Attribute: 'userData' });
      return (await ec2.send(command)).UserData?.Value || undefined;
    },
    imageName: (imageId) => imageName(ec2, imageId),
  };
};

/** Both stores, with SDK clients. */
export const makeSecretChunks = (secretsManager: SecretsManagerClient, ssm: SSMClient): SecretChunks => {
  const secrets = makeSecrets(secretsManager);
  const parameters = makeParameters(ssm);
  const storeOf = (id: string): SecretChunks => (id.startsWith('/') ? parameters : secrets);
  return { read: (id) => storeOf(id).read(id), remove: (id) => storeOf(id).remove(id) };
};

const makeParameters = (ssm: SSMClient): SecretChunks => ({
  read: async (id) => {
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name: id, WithDecryption: true }));
    return Buffer.from(Parameter?.Value ?? '', 'base64');
  },
  remove: async (id) => {
    await ssm.send(new DeleteParameterCommand({ Name: id }));
  },
});

const makeSecrets = (secretsManager: SecretsManagerClient): SecretChunks => ({
  read: async (id) => {
    const { SecretBinary } = await secretsManager.send(new GetSecretValueCommand({ SecretId: id }));
    if (!SecretBinary) throw new Error(`secret ${id} has no SecretBinary`);
    return SecretBinary;
  },
  remove: async (id) => {
    await secretsManager.send(new DeleteSecretCommand({ SecretId: id, ForceDeleteWithoutRecovery: true }));
  },
});
