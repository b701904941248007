import { forbiddenField, invalidValue, required } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { Volume } from '../../schema/aws-instance.ts';
import type { AWSMachineSpec } from '../../schema/aws-machine-spec.ts';
import { validateIgnitionAccess } from './ignition.ts';
import { validateSshKeyName, validateTags } from './tags.ts';

/**
 * Rules for the instance of a machine, in a template (`field` is `spec.template.spec`) or an actual machine (`spec`).
 */
type Rule = (spec: AWSMachineSpec, field: string) => FieldError[];

const when = (fault: boolean, error: () => FieldError): FieldError[] => (fault ? [error()] : []);

const validateCloudInit: Rule = ({ cloudInit = {} }, field) => {
  const { insecureSkipSecretsManager, ...secrets } = cloudInit;
  const set = insecureSkipSecretsManager ? Object.entries(secrets).filter(([, value]) => Boolean(value)) : [];
  const detail = `cannot be set if ${field}.cloudInit.insecureSkipSecretsManager is true`;
  const isHalf = Boolean(secrets.secretPrefix) !== Boolean(secrets.secretCount);
  return [
    ...set.map(([name]) => forbiddenField(`${field}.cloudInit.${name}`, detail)),
    ...when(isHalf, () =>
      forbiddenField(`${field}.cloudInit.secretCount`, `must be set together with ${field}.cloudInit.secretPrefix`),
    ),
  ];
};

const validateIgnition: Rule = ({ ignition, cloudInit = {} }, field) => {
  if (!ignition) return [];
  const isConfigured = Object.values(cloudInit).some(Boolean);
  return [
    ...when(isConfigured, () => forbiddenField(`${field}.cloudInit`, `cannot be set if ${field}.ignition is set`)),
    ...validateIgnitionAccess(ignition, `${field}.ignition`),
  ];
};

const PROVISIONED = ['io1', 'io2'];
/** MiB/s, https://aws.amazon.com/ebs/general-purpose/ */
const GP3_THROUGHPUT = { least: 125, most: 2000 };

const validateVolume = ({ type = '', iops, throughput }: Volume, field: string): FieldError[] => {
  const { least, most } = GP3_THROUGHPUT;
  const isOutside = throughput !== undefined && (throughput < least || throughput > most);
  return [
    ...when(PROVISIONED.includes(type) && !iops, () =>
      required(`${field}.iops`, "iops required if type is 'io1' or 'io2'"),
    ),
    ...when(throughput !== undefined && type !== 'gp3', () =>
      required(`${field}.throughput`, "throughput is valid only for type 'gp3'"),
    ),
    ...when(isOutside, () =>
      invalidValue(`${field}.throughput`, throughput, `throughput must be between ${least} MiB/s and ${most} MiB/s`),
    ),
  ];
};

/** Rules for the disks of an instance. */
export const validateVolumes = (
  { rootVolume, nonRootVolumes = [] }: Pick<AWSMachineSpec, 'rootVolume' | 'nonRootVolumes'>,
  field: string,
): FieldError[] => [
  ...(rootVolume ? validateVolume(rootVolume, `${field}.rootVolume`) : []),
  ...nonRootVolumes.flatMap((volume, index) => {
    const at = `${field}.nonRootVolumes[${index}]`;
    const noDevice = !volume.deviceName;
    return [
      ...validateVolume(volume, at),
      ...when(noDevice, () => required(`${at}.deviceName`, 'non root volume should have device name')),
    ];
  }),
];

const validateSecurityGroups: Rule = ({ additionalSecurityGroups = [] }, field) =>
  additionalSecurityGroups.flatMap(({ id, filters = [] }, index) =>
    when(id !== undefined && filters.length > 0, () =>
      forbiddenField(
        `${field}.additionalSecurityGroups[${index}]`,
        'only one of ID or Filters may be specified, specifying both is forbidden',
      ),
    ),
  );

const POOL_PREFIX = 'ipv4pool-ec2-';

const validateElasticIpPool: Rule = ({ elasticIpPool, publicIP }, field) => {
  if (!elasticIpPool) return [];
  const { publicIpv4Pool: pool, publicIpv4PoolFallbackOrder: order } = elasticIpPool;
  const at = `${field}.elasticIpPool`;
  return [
    ...when(!publicIP, () => required(at, 'publicIP must be true to assign addresses of a public IPv4 pool')),
    ...when((pool === undefined) !== (order === undefined), () =>
      invalidValue(at, elasticIpPool, 'publicIpv4Pool and publicIpv4PoolFallbackOrder must be set together'),
    ),
    ...when(pool !== undefined && !pool.startsWith(POOL_PREFIX), () =>
      invalidValue(`${at}.publicIpv4Pool`, pool, `publicIpv4Pool must start with ${POOL_PREFIX}.`),
    ),
  ];
};

type Market = Pick<AWSMachineSpec, 'marketType' | 'spotMarketOptions' | 'capacityReservationId'>;

/** Rules for how capacity is bought. */
export const validateAwsMarket = (
  { marketType, spotMarketOptions, capacityReservationId }: Market,
  field: string,
): FieldError[] => {
  const at = `${field}.marketType`;
  const clash = spotMarketOptions !== undefined && marketType !== undefined && marketType !== 'Spot';
  const hasReservation = capacityReservationId !== undefined;
  return [
    ...when(clash, () => forbiddenField(at, `${marketType} and spotMarketOptions cannot be used together`)),
    ...when(marketType === 'CapacityBlock' && !hasReservation, () =>
      required(`${field}.capacityReservationId`, 'is required when CapacityBlock is provided'),
    ),
    ...when(hasReservation && marketType === 'Spot', () =>
      invalidValue(field, undefined, 'capacityReservationId may not be set when marketType is Spot'),
    ),
    ...when(hasReservation && spotMarketOptions !== undefined, () =>
      invalidValue(field, undefined, 'capacityReservationId cannot be set when spotMarketOptions is specified'),
    ),
  ];
};

const validateReservationPreference: Rule = (spec, field) => {
  const { capacityReservationPreference: preference, capacityReservationId, marketType, spotMarketOptions } = spec;
  const at = `${field}.capacityReservationPreference`;
  const isOnly = preference === 'CapacityReservationsOnly';
  const isSpot = marketType === 'Spot' || spotMarketOptions !== undefined;
  const only = "may only be 'CapacityReservationsOnly' or empty when capacityReservationId is set";
  return [
    ...when(capacityReservationId !== undefined && Boolean(preference) && !isOnly, () => forbiddenField(at, only)),
    ...when(isOnly && isSpot, () => forbiddenField(at, "cannot be 'CapacityReservationsOnly' for a spot instance")),
  ];
};

/**
 * Not for an instance that is already running: upstream's version 2.10.0 set hostAffinity to host for every machine,
 * and such a machine may be moved here.
 */
const validateHost: Rule = (spec, field) => {
  const { hostID, hostAffinity, dynamicHostAllocation, tenancy } = spec;
  if (spec.providerID || spec.instanceID) return [];
  const pinned = { hostID: Boolean(hostID), dynamicHostAllocation: dynamicHostAllocation !== undefined };
  const isShared = tenancy !== 'host';
  const set = Object.entries(pinned).flatMap(([name, isSet]) => (isSet ? [name] : []));
  return [
    ...set.flatMap((name) => [
      ...when(set.length > 1, () =>
        forbiddenField(`${field}.${name}`, 'hostID and dynamicHostAllocation are mutually exclusive'),
      ),
      ...when(isShared, () => forbiddenField(`${field}.${name}`, `${name} can only be set when tenancy is 'host'`)),
    ]),
    ...when(isShared && hostAffinity === 'host', () =>
      forbiddenField(`${field}.hostAffinity`, "hostAffinity can only be set to 'host' when tenancy is 'host'"),
    ),
    ...when(pinned.dynamicHostAllocation && hostAffinity !== 'host', () =>
      forbiddenField(
        `${field}.dynamicHostAllocation`,
        "dynamicHostAllocation can only be set when hostAffinity is 'host'",
      ),
    ),
  ];
};

/** Rules for the creation of a machine or a template. Afterwards, the spec is immutable except for a few fields. */
export const validateAWSMachineSpec: Rule = (spec, field) => [
  ...validateMutableParts(spec, field),
  ...validateIgnition(spec, field),
  ...validateVolumes(spec, field),
  ...validateSshKeyName(spec.sshKeyName, field),
  ...validateElasticIpPool(spec, field),
  ...validateAwsMarket(spec, field),
  ...validateReservationPreference(spec, field),
  // None of its fields can be changed afterwards.
  ...validateHost(spec, field),
];

/** Rules for fields that may change, checked on every write. */
export const validateMutableParts: Rule = (spec, field) => [
  ...validateCloudInit(spec, field),
  ...validateSecurityGroups(spec, field),
  ...validateTags(spec.additionalTags, field),
];
