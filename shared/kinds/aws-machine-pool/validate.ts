import { isDeepStrictEqual } from 'node:util';
import { forbiddenField, invalidValue, required } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateIgnitionAccess } from '../rules/aws/ignition.ts';
import { groupExcess, subnetExcess, validateLength } from '../rules/aws/machine-limits.ts';
import { validateAwsMarket, validateVolumes } from '../rules/aws/machine-spec.ts';
import { validateTags } from '../rules/aws/tags.ts';
import { warmPoolProblem } from '../rules/pool-wishes.ts';
import type { ResourceReference } from '../schema/aws-instance.ts';
import type { AWSLaunchTemplate } from '../schema/aws-launch-template.ts';
import { validateDurations, validateLifecycleHooks } from './durations.ts';
import { validateHookNames } from './hook-names.ts';
import type { AWSMachinePool, AWSMachinePoolSpec } from './schema.ts';

const LAUNCH = 'spec.awsLaunchTemplate';

const hasBoth = ({ id, filters }: ResourceReference): boolean => id !== undefined && filters !== undefined;

const validateReferences = ({ subnets = [], awsLaunchTemplate }: AWSMachinePoolSpec): FieldError[] => {
  const groups = awsLaunchTemplate.additionalSecurityGroups ?? [];
  const subnet = 'providing either subnet ID or filter is supported, should not provide both';
  return [
    ...(subnets.some(hasBoth) ? [forbiddenField('spec.subnets.filters', subnet)] : []),
    ...(groups.some(hasBoth)
      ? [forbiddenField(`${LAUNCH}.additionalSecurityGroups`, 'either ID or filters should be used')]
      : []),
  ];
};

const validateLengths = ({ subnets, awsLaunchTemplate }: AWSMachinePoolSpec, old: AWSMachinePoolSpec | undefined) => {
  const groups = [awsLaunchTemplate.additionalSecurityGroups, old?.awsLaunchTemplate.additionalSecurityGroups] as const;
  return [
    ...validateLength(subnetExcess, [subnets, old?.subnets], 'spec.subnets'),
    ...validateLength(groupExcess, groups, `${LAUNCH}.additionalSecurityGroups`),
  ];
};

const validateSpot = ({ awsLaunchTemplate, mixedInstancesPolicy }: AWSMachinePoolSpec): FieldError[] => {
  if (!awsLaunchTemplate.spotMarketOptions || !mixedInstancesPolicy) return [];
  const field = `${LAUNCH}.spotMarketOptions`;
  return [forbiddenField(field, `either ${field} or spec.mixedInstancesPolicy should be used`)];
};

const validateRefresh = ({ refreshPreferences = {} }: AWSMachinePoolSpec): FieldError[] => {
  const { minHealthyPercentage: min, maxHealthyPercentage: max } = refreshPreferences;
  if (max === undefined) return [];
  const [at, other] = ['spec.refreshPreferences.maxHealthyPercentage', 'spec.refreshPreferences.minHealthyPercentage'];
  if (min === undefined) return [forbiddenField(at, `If you specify ${at}, you must also specify ${other}`)];
  if (max - min <= 100) return [];
  return [forbiddenField(at, `the difference between ${at} and ${other} cannot be greater than 100`)];
};

const validateReservation = (launch: AWSLaunchTemplate): FieldError[] => {
  const { capacityReservationId, capacityReservationPreference: preference } = launch;
  if (capacityReservationId === undefined || !preference || preference === 'CapacityReservationsOnly') return [];
  const detail =
    'when capacityReservationId is specified, capacityReservationPreference may only be `CapacityReservationsOnly` or empty';
  return [forbiddenField('spec.capacityReservationPreference', detail)];
};

const validateSizes = ({ minSize = 1, maxSize = 1 }: AWSMachinePoolSpec): FieldError[] =>
  minSize > maxSize ? [invalidValue('spec.minSize', minSize, 'must not be more than spec.maxSize')] : [];

const validateSpec = (spec: AWSMachinePoolSpec): FieldError[] => [
  ...validateDurations(spec),
  ...validateTags(spec.additionalTags, 'spec'),
  ...validateReferences(spec),
  ...validateSpot(spec),
  ...validateRefresh(spec),
  ...validateLifecycleHooks(spec.lifecycleHooks),
  ...validateSizes(spec),
];

const validateWarmPool = (pool: AWSMachinePool): FieldError[] => {
  const problem = warmPoolProblem(pool);
  return problem ? [forbiddenField(problem.field, problem.why)] : [];
};

/** Upstream only has these rules for machines. Settings from an earlier version are accepted. */
const validateIgnition = ({ ignition }: AWSMachinePoolSpec, old: AWSMachinePoolSpec | undefined): FieldError[] =>
  ignition === undefined || isDeepStrictEqual(ignition, old?.ignition)
    ? []
    : validateIgnitionAccess(ignition, 'spec.ignition');

/**
 * CAPA's rules (exp/webhooks/awsmachinepool_webhook.go). The rules that the sizes are in order, because AWS refuses
 * others, and for the names of hooks are Windlass's own.
 */
export const validateAWSMachinePool = (pool: AWSMachinePool, old: AWSMachinePool | undefined): FieldError[] => {
  const { spec } = pool;
  if (!spec) return [required('spec')];
  const always = [
    ...validateSpec(spec),
    ...validateLengths(spec, old?.spec),
    ...validateIgnition(spec, old?.spec),
    ...validateHookNames(spec, old?.spec),
    ...validateWarmPool(pool),
  ];
  if (old) return always;
  const launch = spec.awsLaunchTemplate;
  return [
    ...always,
    ...validateVolumes(launch, LAUNCH),
    ...validateAwsMarket(launch, LAUNCH),
    ...validateReservation(launch),
  ];
};
