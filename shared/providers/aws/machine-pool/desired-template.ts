import { createHash } from 'node:crypto';
import type { RequestLaunchTemplateData, ResourceType } from '@aws-sdk/client-ec2';
import type { AWSCluster, AWSMachinePool, Machine, MachinePool } from '../../../kinds/index.ts';
import { GROUP, LABEL } from '../../../plan/labels.ts';
import { instanceTypesOf } from '../plan/launch/pool-machine.ts';
import type { LaunchRequest } from '../plan/launch/request.ts';
import type { LaunchPlace } from '../plan/launch/subnet.ts';
import { buildTags, type ClusterName, POOL_TAG, type Tags, toTagList } from '../tags.ts';
import type { DesiredTemplate, TemplateDigests } from './model.ts';
import { groupNameOf, poolTagOf } from './name.ts';

/** Tags of all resources of a pool. As in Cluster API's AWS provider, the role is that of all nodes. */
export const poolTags = (cluster: ClusterName, pool: AWSMachinePool, awsCluster: AWSCluster): Tags =>
  buildTags({
    cluster,
    name: groupNameOf(pool),
    role: 'node',
    additional: { ...awsCluster.spec.additionalTags, ...pool.spec?.additionalTags },
    extra: { [POOL_TAG]: poolTagOf(pool) },
    cloudProvider: 'owned',
  });

/** Any machine of a pool: it is a worker, whatever the labels of the template are. */
export const anyMachine = (pool: MachinePool, { metadata: { name } }: AWSMachinePool): Machine => ({
  apiVersion: `${GROUP.core}/v1beta2`,
  kind: 'Machine',
  metadata: {
    namespace: pool.metadata.namespace,
    name,
    labels: { [LABEL.clusterName]: pool.spec.clusterName },
  },
  spec: { ...pool.spec.template.spec, clusterName: pool.spec.clusterName },
});

/**
 * Possible places of the first instance. Auto Scaling chooses the place of each instance, so a launch template contains
 * none.
 */
export const anyPlace = (subnetIds: readonly string[]): LaunchPlace => ({
  id: subnetIds[0] ?? '',
  zone: undefined,
  hasIpv6: false,
});

/** Why no instance can be launched with any image; undefined if the pool names a type. */
export const missingType = (pool: AWSMachinePool): string | undefined =>
  instanceTypesOf(pool).length > 0
    ? undefined
    : 'spec.awsLaunchTemplate.instanceType: must be set, or an override of spec.mixedInstancesPolicy';

const inOrder = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;

const digestOf = (wish: unknown): string =>
  createHash('sha256').update(JSON.stringify(wish, inOrder)).digest('hex').slice(0, 16);

/**
 * Launch templates contain no network interfaces here: the group chooses the subnet, and an interface in the template
 * would determine it. As in Cluster API's AWS provider, they contain no type if the pool only names types as overrides.
 */
const dataOf = (
  { spec }: AWSMachinePool,
  request: LaunchRequest,
  securityGroupIds: readonly string[],
  Tags: { Key: string; Value: string }[],
): Omit<RequestLaunchTemplateData, 'UserData'> => {
  const types: ResourceType[] = ['instance', 'volume'];
  // A mixed policy and a spot request in the template exclude each other, and so do overrides and a single type.
  return {
    ImageId: request.ImageId,
    ...(spec?.awsLaunchTemplate.instanceType ? { InstanceType: request.InstanceType } : {}),
    SecurityGroupIds: [...securityGroupIds],
    BlockDeviceMappings: request.BlockDeviceMappings as RequestLaunchTemplateData['BlockDeviceMappings'],
    MetadataOptions: request.MetadataOptions,
    ...(request.IamInstanceProfile ? { IamInstanceProfile: request.IamInstanceProfile } : {}),
    ...(request.KeyName ? { KeyName: request.KeyName } : {}),
    ...(request.InstanceMarketOptions ? { InstanceMarketOptions: withoutBehavior(request.InstanceMarketOptions) } : {}),
    ...(request.CapacityReservationSpecification
      ? { CapacityReservationSpecification: request.CapacityReservationSpecification }
      : {}),
    ...(request.PrivateDnsNameOptions ? { PrivateDnsNameOptions: request.PrivateDnsNameOptions } : {}),
    ...(spec?.awsLaunchTemplate.enclaveOptions?.enabled ? { EnclaveOptions: { Enabled: true } } : {}),
    TagSpecifications: types.map((ResourceType) => ({ ResourceType, Tags })),
  };
};

/**
 * Auto Scaling refuses templates with an interruption behaviour for spot instances, because it terminates and replaces
 * them.
 */
const withoutBehavior = (options: NonNullable<LaunchRequest['InstanceMarketOptions']>) => {
  const { InstanceInterruptionBehavior: _, ...spot } = options.SpotOptions ?? {};
  return options.SpotOptions ? { ...options, SpotOptions: spot } : options;
};

export interface TemplateFacts {
  cluster: ClusterName;
  pool: AWSMachinePool;
  awsCluster: AWSCluster;
  /** How one machine of the pool would be launched; the tags and interfaces in it are not used. */
  request: LaunchRequest;
  securityGroupIds: readonly string[];
  /** base64. */
  userData: string;
  /** The Secret with the bootstrap data. */
  dataSecretName: string;
}

const digestsOf = (data: unknown, { dataSecretName, userData }: TemplateFacts): TemplateDigests => {
  const shape = digestOf([data, dataSecretName]);
  return { shape, digest: digestOf([shape, userData]) };
};

const byKey = (left: { Key: string }, right: { Key: string }): number => (left.Key < right.Key ? -1 : 1);

/**
 * The desired launch template of a pool. Instances are replaced when anything except the content of the bootstrap data
 * changes: that has a new token every week, which running instances do not need. Cluster API's AWS provider does the
 * same, and also compares the name of the Secret. Security groups and tags are sorted, because neither EC2 nor users
 * keep them in order.
 */
export const desiredTemplate = (facts: TemplateFacts): DesiredTemplate => {
  const { cluster, pool, awsCluster, request, securityGroupIds, userData } = facts;
  const tags = poolTags(cluster, pool, awsCluster);
  const list = toTagList(tags);
  const data = dataOf(pool, request, [...securityGroupIds].sort(), [...list].sort(byKey));
  const typed = [dataOf(pool, request, securityGroupIds, list), data].map((one) => ({
    ...one,
    InstanceType: request.InstanceType,
  }));
  const former = typed.map((one) => digestsOf(one, facts));
  return { name: groupNameOf(pool), data, userData, tags, ...digestsOf(data, facts), former };
};

const DESCRIPTION = /^windlass ([0-9a-f]{16}) ([0-9a-f]{16})$/;

/** The description of a version that Windlass has created, so that any process can read its digests from EC2. */
export const versionDescription = ({ digest, shape }: TemplateDigests): string => `windlass ${digest} ${shape}`;

/** The digests in a description; undefined for a version that Windlass has not created. */
export const readDescription = (description: string | undefined): TemplateDigests | undefined => {
  const [, digest, shape] = DESCRIPTION.exec(description ?? '') ?? [];
  return digest && shape ? { digest, shape } : undefined;
};
