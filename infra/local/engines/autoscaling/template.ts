/** The current launch template of a group, and whether instances can be launched from it. */
import type * as sdk from '@aws-sdk/client-auto-scaling';
import type { RunInstancesRequest } from '@aws-sdk/client-ec2';
import { planLaunch } from '../ec2/instances/launch-plan.ts';
import { findTemplate, getVersion } from '../ec2/launch-templates/find.ts';
import { withTemplate } from '../ec2/launch-templates/for-launch.ts';
import { AwsFault } from '../wire/fault.ts';
import type { Source, UsedTemplate } from './records.ts';
import { type AutoScaling, validationError } from './state.ts';

/** Errors that may be temporary, or limited to one zone, are no reason to refuse a group. */
const PASSING = ['InsufficientInstanceCapacity', 'Unsupported', 'MaxSpotInstanceCountExceeded', 'SpotMaxPriceTooLow'];

/** The specification of a group's template. */
export const specificationOf = ({ template, mixed }: Source): sdk.LaunchTemplateSpecification | undefined =>
  template ?? mixed?.LaunchTemplate?.LaunchTemplateSpecification;

/** The current template and version of a specification. Throws EC2's faults. */
export const resolveTemplate = (as: AutoScaling, specification: sdk.LaunchTemplateSpecification): UsedTemplate => {
  const { LaunchTemplateId, LaunchTemplateName, Version: asked = '$Default' } = specification;
  const reference = LaunchTemplateId === undefined ? { LaunchTemplateName } : { LaunchTemplateId };
  const template = findTemplate(as.neighbours.ec2, reference);
  return { id: template.id, name: template.name, version: getVersion(template, asked).number, asked };
};

/** A specification with id and name, as a group shows it. */
export const fullSpecification = (
  as: AutoScaling,
  given: sdk.LaunchTemplateSpecification,
): sdk.LaunchTemplateSpecification => {
  if (given.LaunchTemplateId !== undefined && given.LaunchTemplateName !== undefined)
    throw validationError('Valid requests must contain either launchTemplateId or LaunchTemplateName');
  const { id, name } = resolved(as, given);
  return {
    LaunchTemplateId: id,
    LaunchTemplateName: name,
    ...(given.Version === undefined ? {} : { Version: given.Version }),
  };
};

const notFullyFormed = (message: string): AwsFault =>
  validationError(`You must use a valid fully-formed launch template. ${message}`);

const resolved = (as: AutoScaling, specification: sdk.LaunchTemplateSpecification): UsedTemplate => {
  try {
    return resolveTemplate(as, specification);
  } catch (error) {
    throw error instanceof AwsFault ? notFullyFormed(error.message) : error;
  }
};

/** The request of a launch in a subnet, which is set in the first interface if the template describes one. */
export const requestFor = (
  as: AutoScaling,
  { id, version }: Pick<UsedTemplate, 'id' | 'version'>,
  subnetId: string,
  more: Partial<RunInstancesRequest> = {},
): RunInstancesRequest => {
  const template = findTemplate(as.neighbours.ec2, { LaunchTemplateId: id });
  const [first, ...others] = getVersion(template, String(version)).data.NetworkInterfaces ?? [];
  const place = first
    ? { NetworkInterfaces: [{ ...first, SubnetId: subnetId }, ...others] as RunInstancesRequest['NetworkInterfaces'] }
    : { SubnetId: subnetId };
  return {
    MinCount: 1,
    MaxCount: 1,
    ...place,
    ...more,
    LaunchTemplate: { LaunchTemplateId: id, Version: String(version) },
  };
};

/**
 * Throws a ValidationError if nothing could ever be launched from a source in a subnet: Auto Scaling tests this with a
 * dry run of RunInstances.
 */
export const checkLaunchable = (as: AutoScaling, source: Source, subnetId: string): void => {
  const specification = specificationOf(source);
  if (!specification) return;
  const InstanceType = source.mixed?.LaunchTemplate?.Overrides?.[0]
    ?.InstanceType as RunInstancesRequest['InstanceType'];
  const { ec2 } = as.neighbours;
  const request = requestFor(as, resolved(as, specification), subnetId, InstanceType ? { InstanceType } : {});
  const { input } = withTemplate(ec2, request);
  if (!input.ImageId) throw notFullyFormed('The request must contain the parameter ImageId');
  try {
    planLaunch(ec2, input);
  } catch (error) {
    if (!(error instanceof AwsFault) || error.code === 'NotSimulated') throw error;
    if (!PASSING.includes(error.code)) throw notFullyFormed(error.message);
  }
};

/** The current template and version of a source, or undefined if one of them is deleted. */
export const lookUp = (as: AutoScaling, source: Source): UsedTemplate | undefined => {
  const specification = specificationOf(source);
  try {
    return specification && resolveTemplate(as, specification);
  } catch (error) {
    if (error instanceof AwsFault) return undefined;
    throw error;
  }
};
