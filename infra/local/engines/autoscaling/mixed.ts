/** Mixed instances policies: the type and the market of a group's next launch. */
import type * as sdk from '@aws-sdk/client-auto-scaling';
import { findTemplate, getVersion } from '../ec2/launch-templates/find.ts';
import { notSimulated, onlySimulated } from '../wire/fault.ts';
import type { Group, Member, Source } from './records.ts';
import { type AutoScaling, validationError } from './state.ts';
import { fullSpecification, resolveTemplate, specificationOf } from './template.ts';

/** One way to launch an instance. */
export interface Choice {
  readonly isSpot: boolean;
  /** Undefined for the template's type. */
  readonly instanceType: string | undefined;
  readonly weight: number;
  /** The template of an override. */
  readonly specification: sdk.LaunchTemplateSpecification;
  readonly maxPrice: string | undefined;
}

const ON_DEMAND = ['prioritized', 'lowest-price'];
const SPOT = ['lowest-price', 'capacity-optimized', 'capacity-optimized-prioritized', 'price-capacity-optimized'];

const DEFAULTS = {
  OnDemandAllocationStrategy: 'prioritized',
  OnDemandBaseCapacity: 0,
  OnDemandPercentageAboveBaseCapacity: 100,
  SpotAllocationStrategy: 'lowest-price',
} as const;

const DISTRIBUTION = [...Object.keys(DEFAULTS), 'SpotInstancePools', 'SpotMaxPrice'];

const checkDistribution = (given: sdk.InstancesDistribution): void => {
  onlySimulated('autoscaling InstancesDistribution', given, DISTRIBUTION);
  const { OnDemandPercentageAboveBaseCapacity: percentage = 100, OnDemandBaseCapacity: base = 0 } = given;
  if (!ON_DEMAND.includes(given.OnDemandAllocationStrategy ?? 'prioritized'))
    throw validationError(`Invalid OnDemandAllocationStrategy. Valid values are: ${ON_DEMAND.join(', ')}`);
  if (!SPOT.includes(given.SpotAllocationStrategy ?? 'lowest-price'))
    throw validationError(`Invalid SpotAllocationStrategy. Valid values are: ${SPOT.join(', ')}`);
  if (percentage < 0 || percentage > 100)
    throw validationError('OnDemandPercentageAboveBaseCapacity must be between 0 and 100');
  if (base < 0) throw validationError('OnDemandBaseCapacity must not be negative');
  const { SpotInstancePools: pools } = given;
  if (pools !== undefined && (given.SpotAllocationStrategy ?? 'lowest-price') !== 'lowest-price')
    throw validationError('SpotInstancePools option is only available with the lowest-price allocation strategy.');
  if (pools !== undefined && (pools < 1 || pools > 20))
    throw validationError('SpotInstancePools must be between 1 and 20');
};

const checkOverrides = (overrides: readonly sdk.LaunchTemplateOverrides[]): void => {
  for (const override of overrides) {
    if (override.InstanceRequirements) throw notSimulated('instance requirements in place of an instance type');
    onlySimulated('autoscaling LaunchTemplateOverrides', override, [
      'InstanceType',
      'WeightedCapacity',
      'LaunchTemplateSpecification',
    ]);
    const weight = Number(override.WeightedCapacity ?? 1);
    if (!Number.isInteger(weight) || weight < 1 || weight > 999)
      throw validationError('WeightedCapacity must be a whole number between 1 and 999.');
  }
  const weighted = overrides.filter(({ WeightedCapacity }) => WeightedCapacity !== undefined).length;
  if (weighted > 0 && weighted < overrides.length)
    throw validationError('WeightedCapacity must be specified for all overrides or for none.');
  const types = overrides.map(({ InstanceType }) => InstanceType);
  if (new Set(types).size < types.length) throw validationError('Instance types must be unique among the overrides.');
};

/** A group has both the id and the name of its template, but a call may contain only one of them. */
const withoutNames = (template: sdk.LaunchTemplate | undefined): sdk.LaunchTemplate | undefined => {
  const plain = (specification: sdk.LaunchTemplateSpecification | undefined) =>
    specification && { ...specification, LaunchTemplateName: undefined };
  return (
    template && {
      LaunchTemplateSpecification: plain(template.LaunchTemplateSpecification),
      Overrides: template.Overrides?.map(({ LaunchTemplateSpecification: own, ...override }) =>
        own ? { ...override, LaunchTemplateSpecification: plain(own) } : override,
      ),
    }
  );
};

/** The policy with AWS's defaults, as a group shows it. Throws a ValidationError if it is not valid. */
export const readPolicy = (as: AutoScaling, policy: sdk.MixedInstancesPolicy): sdk.MixedInstancesPolicy => {
  const given = policy.LaunchTemplate?.LaunchTemplateSpecification;
  if (!given)
    throw validationError(
      'LaunchTemplateSpecification must be specified in the LaunchTemplate of a MixedInstancesPolicy.',
    );
  const overrides = policy.LaunchTemplate?.Overrides ?? [];
  const distribution = policy.InstancesDistribution ?? {};
  checkDistribution(distribution);
  checkOverrides(overrides);
  const specification = fullSpecification(as, given);
  const { id, version } = resolveTemplate(as, specification);
  const template = findTemplate(as.neighbours.ec2, { LaunchTemplateId: id });
  if (getVersion(template, String(version)).data.InstanceMarketOptions)
    throw validationError(
      'Incompatible launch template: You cannot use a launch template that is set to request Spot Instances (InstanceMarketOptions) when you configure an Auto Scaling group with a mixed instances policy. Add a different launch template to the group and try again.',
    );
  const isLowestPrice = (distribution.SpotAllocationStrategy ?? 'lowest-price') === 'lowest-price';
  return {
    LaunchTemplate: {
      LaunchTemplateSpecification: specification,
      Overrides: overrides.map((override) => ({
        ...override,
        ...(override.LaunchTemplateSpecification
          ? { LaunchTemplateSpecification: fullSpecification(as, override.LaunchTemplateSpecification) }
          : {}),
      })),
    },
    InstancesDistribution: {
      ...DEFAULTS,
      ...(isLowestPrice ? { SpotInstancePools: 2 } : {}),
      ...Object.fromEntries(Object.entries(distribution).filter(([, value]) => value !== undefined)),
    },
  };
};

/** The policy after an update: omitted parts stay unchanged. */
export const mergePolicy = (
  before: sdk.MixedInstancesPolicy | undefined,
  given: sdk.MixedInstancesPolicy,
): sdk.MixedInstancesPolicy => {
  const distribution = { ...before?.InstancesDistribution, ...given.InstancesDistribution };
  const { SpotInstancePools: inherited, ...rest } = distribution;
  const isLowestPrice = (distribution.SpotAllocationStrategy ?? 'lowest-price') === 'lowest-price';
  const keepsPools = isLowestPrice || given.InstancesDistribution?.SpotInstancePools !== undefined;
  return {
    LaunchTemplate: given.LaunchTemplate ?? withoutNames(before?.LaunchTemplate),
    InstancesDistribution: keepsPools && inherited !== undefined ? distribution : rest,
  };
};

/** Whether the next instance must be on demand: the base first, then the percentage of the rest, rounded up. */
const needsOnDemand = (group: Group, members: readonly Member[], distribution: sdk.InstancesDistribution): boolean => {
  const { OnDemandBaseCapacity: base = 0, OnDemandPercentageAboveBaseCapacity: percentage = 100 } = distribution;
  const above = Math.max(0, group.desired - base);
  const wanted = Math.min(group.desired, base) + Math.ceil((above * percentage) / 100);
  const have = members.filter(({ isSpot }) => !isSpot).reduce((sum, { weight }) => sum + weight, 0);
  return have < wanted;
};

/**
 * The types in the order in which they are tried. The simulation knows neither prices nor capacities of pools; the
 * order of the overrides stands for both. `lowest-price` rotates among its pools.
 */
const ordered = <Override>(
  overrides: readonly Override[],
  isSpot: boolean,
  { SpotAllocationStrategy: strategy, SpotInstancePools: pools = 2 }: sdk.InstancesDistribution,
  turn: number,
): Override[] => {
  if (!isSpot || strategy !== 'lowest-price') return [...overrides];
  const cheap = overrides.slice(0, pools);
  const first = cheap.length === 0 ? 0 : turn % cheap.length;
  return [...cheap.slice(first), ...cheap.slice(0, first), ...overrides.slice(pools)];
};

/** The ways in which a group may launch its next instance, beginning with the best. */
export const choicesFor = (group: Group, source: Source, members: readonly Member[]): Choice[] => {
  const specification = specificationOf(source);
  if (!specification) return [];
  const plain = { isSpot: false, instanceType: undefined, weight: 1, specification, maxPrice: undefined };
  if (!source.mixed) return [plain];
  const distribution = source.mixed.InstancesDistribution ?? {};
  const overrides = source.mixed.LaunchTemplate?.Overrides ?? [];
  const isSpot = !needsOnDemand(group, members, distribution);
  const maxPrice = isSpot && distribution.SpotMaxPrice ? distribution.SpotMaxPrice : undefined;
  const turn = members.filter((member) => member.isSpot).length;
  const choices = ordered(overrides, isSpot, distribution, turn).map((override) => ({
    isSpot,
    instanceType: override.InstanceType,
    weight: Number(override.WeightedCapacity ?? 1),
    specification: override.LaunchTemplateSpecification ?? specification,
    maxPrice,
  }));
  return choices.length > 0 ? choices : [{ ...plain, isSpot, maxPrice }];
};
