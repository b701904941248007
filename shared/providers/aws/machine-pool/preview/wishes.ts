import { createHash } from 'node:crypto';
import type { AWSCluster, AWSMachine, AWSMachinePool, MachinePool } from '../../../../kinds/index.ts';
import { warmPoolWish } from '../../../../kinds/rules/pool-wishes.ts';
import type { PlacedPool } from '../../../infrastructure.ts';
import { imageQuery, type LaunchImage } from '../../plan/launch/image.ts';
import { asMachine } from '../../plan/launch/pool-machine.ts';
import { launchProblem } from '../../plan/launch/refusals.ts';
import { launchRequest } from '../../plan/launch/request.ts';
import { desiredGroup, givenSubnet, groupSubnets, sizeProblem } from '../desired-group.ts';
import { anyMachine, anyPlace, desiredTemplate, missingType } from '../desired-template.ts';
import type { DesiredGroup, DesiredTemplate } from '../model.ts';

/** The objects of a pool, with AWS's kinds. */
export interface AwsPlacedPool {
  pool: MachinePool;
  awsPool: AWSMachinePool;
  awsCluster: AWSCluster;
  config: PlacedPool['config'];
}

/** The desired state of a pool, as far as it can be determined without a call. */
export interface PoolWishes {
  template: DesiredTemplate;
  group: DesiredGroup;
  /** Parts of the template, by the names that users know, in a form that is equal if the parts are equal. */
  parts: Readonly<Record<string, unknown>>;
}

/**
 * Placeholders for what only EC2 knows: the results of the lookup of an image and of filters do not change as long as
 * these do not change.
 */
const lookedUp = (what: unknown): string => JSON.stringify(what);

/** The architecture depends on the instance type, which is a separate part of the template. */
const paperImage = (machine: AWSMachine, awsCluster: AWSCluster, version: string): LaunchImage => {
  const query = imageQuery(machine, awsCluster, version, '');
  return { id: 'id' in query ? query.id : lookedUp(query), rootDevice: 'root' };
};

const securityGroups = ({ spec }: AWSMachine, { status }: AWSCluster): string[] => {
  const { securityGroupOverrides = {}, additionalSecurityGroups = [] } = spec;
  const core = { ...status?.networkStatus?.securityGroups };
  return [
    lookedUp([core.node?.id, core.lb?.id, securityGroupOverrides]),
    ...additionalSecurityGroups.map(({ id, filters }) => id ?? lookedUp(filters)),
  ];
};

/** Everything from which the bootstrap data of instances are rendered, except the token. */
const bootstrapInputs = ({ pool, awsPool, config }: AwsPlacedPool): unknown => {
  const { bootstrap, version } = pool.spec.template.spec;
  const joinsInService = warmPoolWish(awsPool) !== undefined;
  const own = config ? [version, joinsInService] : [bootstrap.dataSecretName];
  return [config?.kind, config?.spec, ...own, awsPool.spec?.ignition];
};

const subnetsOf = ({ pool, awsPool, awsCluster }: AwsPlacedPool): string[] | { problem: string } => {
  const named = (awsPool.spec?.subnets ?? []).map((one) => givenSubnet(one, awsCluster) ?? lookedUp(one.filters));
  const found = groupSubnets(pool, awsPool, awsCluster, [...new Set(named)]);
  // The subnets of a network that does not exist yet are unknown.
  return 'problem' in found && awsCluster.status?.ready !== true ? [] : found;
};

const base64 = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64');

const partsOf = ({ data }: DesiredTemplate, placed: AwsPlacedPool): PoolWishes['parts'] => ({
  image: data.ImageId,
  'instance type': data.InstanceType,
  'security groups': data.SecurityGroupIds,
  volumes: data.BlockDeviceMappings,
  'metadata options': data.MetadataOptions,
  'instance profile': data.IamInstanceProfile,
  'key pair': data.KeyName,
  'spot options': data.InstanceMarketOptions,
  'capacity reservation': data.CapacityReservationSpecification,
  'host names': data.PrivateDnsNameOptions,
  enclaves: data.EnclaveOptions,
  tags: data.TagSpecifications,
  'name of the bootstrap data': dataNameOf(placed),
  'bootstrap data': bootstrapInputs(placed),
});

/** The Secret with the data has the name of the configuration. */
const dataNameOf = ({ pool }: AwsPlacedPool): string => {
  const { configRef, dataSecretName } = pool.spec.template.spec.bootstrap;
  return configRef?.name ?? dataSecretName ?? '';
};

const templateProblem = (placed: AwsPlacedPool, image: LaunchImage): string | undefined => {
  const { pool, awsPool, awsCluster } = placed;
  const infrastructure = asMachine(awsPool);
  if (!infrastructure.spec.ami?.id && !pool.spec.template.spec.version)
    return 'spec.awsLaunchTemplate.ami.id: must be set if the MachinePool has no version by which an image can be looked up';
  const problem = launchProblem({ infrastructure, awsCluster, image, place: anyPlace([]) });
  return missingType(awsPool) ?? problem?.replace(/^spec\./, 'spec.awsLaunchTemplate.');
};

/**
 * The desired state of a pool, by the rules of decideTemplate and decideGroup but without their lookups; or why it is
 * impossible. The results are only compared with each other, never with AWS's state.
 */
export const wishesOf = (placed: AwsPlacedPool): PoolWishes | { problem: string } => {
  const { pool, awsPool, awsCluster } = placed;
  const infrastructure = asMachine(awsPool);
  const image = paperImage(infrastructure, awsCluster, pool.spec.template.spec.version ?? '');
  const subnetIds = subnetsOf(placed);
  if ('problem' in subnetIds) return subnetIds;
  const problem = templateProblem(placed, image) ?? sizeProblem(pool, awsPool);
  if (problem) return { problem };
  const cluster = { namespace: pool.metadata.namespace ?? '', name: pool.spec.clusterName };
  const securityGroupIds = securityGroups(infrastructure, awsCluster);
  const { instanceType } = infrastructure.spec;
  const machine = anyMachine(pool, awsPool);
  const place = anyPlace(subnetIds);
  const launch = { cluster, machine, infrastructure, awsCluster, instanceType, attempt: 0, image, place };
  const template = desiredTemplate({
    ...{ cluster, pool: awsPool, awsCluster, securityGroupIds },
    request: launchRequest({ ...launch, securityGroupIds }),
    userData: base64(bootstrapInputs(placed)),
    dataSecretName: dataNameOf(placed),
  });
  const group = desiredGroup(pool, awsPool, { subnetIds, tags: template.tags });
  return { template, group, parts: partsOf(template, placed) };
};
