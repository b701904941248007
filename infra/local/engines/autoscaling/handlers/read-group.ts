/** The parameters of CreateAutoScalingGroup and UpdateAutoScalingGroup, validated by AWS's rules. */
import type * as sdk from '@aws-sdk/client-auto-scaling';
import { notSimulated } from '../../wire/fault.ts';
import { TERMINATION_POLICIES } from '../choose.ts';
import { readPolicy } from '../mixed.ts';
import type { Group, Source } from '../records.ts';
import { type AutoScaling, validationError } from '../state.ts';
import { fullSpecification } from '../template.ts';

/** The parameters that both calls have and that are simulated. */
export const SHARED = [
  'AutoScalingGroupName',
  'AvailabilityZones',
  'CapacityRebalance',
  'Context',
  'DefaultCooldown',
  'DefaultInstanceWarmup',
  'DesiredCapacity',
  'DesiredCapacityType',
  'HealthCheckGracePeriod',
  'HealthCheckType',
  'InstanceMaintenancePolicy',
  'LaunchTemplate',
  'MaxInstanceLifetime',
  'MaxSize',
  'MinSize',
  'MixedInstancesPolicy',
  'NewInstancesProtectedFromScaleIn',
  'PlacementGroup',
  'ServiceLinkedRoleARN',
  'TerminationPolicies',
  'VPCZoneIdentifier',
];

type Input = Partial<sdk.CreateAutoScalingGroupType> & Partial<sdk.UpdateAutoScalingGroupType>;

/** The template or policy of a call; undefined if it names none. */
export const readSource = (as: AutoScaling, { LaunchTemplate, MixedInstancesPolicy }: Input): Source | undefined => {
  if (LaunchTemplate && MixedInstancesPolicy)
    throw validationError(
      'Valid requests must contain either LaunchTemplate, LaunchConfigurationName, InstanceId or MixedInstancesPolicy parameter.',
    );
  if (LaunchTemplate) return { template: fullSpecification(as, LaunchTemplate) };
  return MixedInstancesPolicy && { mixed: readPolicy(as, MixedInstancesPolicy) };
};

export type Sizes = Pick<Group, 'min' | 'max' | 'desired'>;

/** Throws a ValidationError if the sizes of a group contradict each other. */
export const checkSizes = ({ min, max, desired }: Sizes): void => {
  if (min < 0 || max < 0) throw validationError('The sizes of an Auto Scaling group must not be negative');
  if (min > max) throw validationError(`Max bound, ${max}, must be greater than or equal to min bound, ${min}`);
  if (desired < min || desired > max)
    throw validationError(
      `Desired capacity:${desired} must be between the specified min size:${min} and max size:${max}`,
    );
};

const checkPolicies = (policies: readonly string[]): void => {
  if (policies.some((policy) => policy.startsWith('arn:')))
    throw notSimulated('a Lambda function as termination policy');
  const unknown = policies.find((policy) => !TERMINATION_POLICIES.includes(policy));
  if (unknown !== undefined)
    throw validationError(
      `The termination policy '${unknown}' is not valid. Valid values are: ${TERMINATION_POLICIES.join(', ')}`,
    );
};

const HEALTH_CHECKS: readonly string[] = ['EC2', 'ELB'];

const checkHealthChecks = (type: string): void => {
  if (/EBS|VPC_LATTICE/.test(type)) throw notSimulated(`health checks of the type ${type}`);
  if (type.split(',').some((one) => !HEALTH_CHECKS.includes(one)))
    throw validationError('Invalid Health Check Type. Valid Health Check Types are EC2, ELB.');
};

const DAY = 86_400;

const checkTimes = (input: Input): void => {
  const { MaxInstanceLifetime: lifetime, DefaultInstanceWarmup: warmup } = input;
  if (lifetime !== undefined && lifetime !== 0 && (lifetime < DAY || lifetime > 365 * DAY))
    throw validationError(`Maximum instance lifetime must be between ${DAY} and ${365 * DAY} seconds, or 0 for none.`);
  for (const name of ['DefaultCooldown', 'HealthCheckGracePeriod'] as const)
    if ((input[name] ?? 0) < 0) throw validationError(`${name} must be greater than or equal to 0`);
  if (warmup !== undefined && (warmup < -1 || warmup > 3600))
    throw validationError('Default instance warmup must be between 0 and 3600 seconds, or -1 for none.');
};

const maintenanceOf = (policy: sdk.InstanceMaintenancePolicy): Group['maintenance'] => {
  const { MinHealthyPercentage: min = -1, MaxHealthyPercentage: max = -1 } = policy;
  if (min === -1 && max === -1) return undefined;
  if (min < 0 || min > 100 || max < 100 || max > 200 || max - min > 100)
    throw validationError(
      'An instance maintenance policy needs MinHealthyPercentage between 0 and 100 and MaxHealthyPercentage between 100 and 200, at most 100 apart.',
    );
  return { min, max };
};

/** The fields of a call that do not depend on other resources. */
export const readFields = (input: Input): Partial<Group> => {
  checkTimes(input);
  checkPolicies(input.TerminationPolicies ?? []);
  if (input.HealthCheckType !== undefined) checkHealthChecks(input.HealthCheckType);
  if ((input.DesiredCapacityType ?? 'units') !== 'units')
    throw notSimulated(`the desired capacity type ${input.DesiredCapacityType}`);
  const fields: Partial<Group> = {
    cooldownSeconds: input.DefaultCooldown,
    healthCheckType: input.HealthCheckType,
    gracePeriodSeconds: input.HealthCheckGracePeriod,
    placementGroup: input.PlacementGroup,
    terminationPolicies: input.TerminationPolicies,
    protectsNew: input.NewInstancesProtectedFromScaleIn,
    rebalancesCapacity: input.CapacityRebalance,
    context: input.Context,
  };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const { MaxInstanceLifetime: lifetime, DefaultInstanceWarmup: warmup, InstanceMaintenancePolicy: policy } = input;
  return {
    ...given,
    ...(lifetime === undefined ? {} : { maxLifetimeSeconds: lifetime === 0 ? undefined : lifetime }),
    ...(warmup === undefined ? {} : { warmupSeconds: warmup === -1 ? undefined : warmup }),
    ...(policy === undefined ? {} : { maintenance: maintenanceOf(policy) }),
  };
};
