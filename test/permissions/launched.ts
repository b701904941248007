/**
 * The launches of an Auto Scaling group, as IAM checks them: a caller who creates or changes a group with a launch
 * template, or starts an instance refresh, must be allowed to launch from it. Source: the Auto Scaling guide, "Control
 * launch template usage".
 */
import type { Account } from '../../infra/local/account.ts';
import { findTemplate, getVersion } from '../../infra/local/engines/ec2/launch-templates/find.ts';
import { mergeData } from '../../infra/local/engines/ec2/launch-templates/for-launch.ts';
import { AwsFault } from '../../infra/local/engines/wire/fault.ts';
import type { RecordedCall } from '../../infra/local/recorded-call.ts';
import type { Call } from './requests.ts';
import { touchedBy } from './touched.ts';

interface Reference {
  LaunchTemplateId?: string;
  LaunchTemplateName?: string;
  Version?: string;
}

interface Source {
  LaunchTemplate?: Reference;
  MixedInstancesPolicy?: {
    LaunchTemplate?: {
      LaunchTemplateSpecification?: Reference;
      Overrides?: { LaunchTemplateSpecification?: Reference }[];
    };
  };
}

const referencesOf = ({ LaunchTemplate, MixedInstancesPolicy }: Source): Reference[] => {
  const { LaunchTemplateSpecification, Overrides = [] } = MixedInstancesPolicy?.LaunchTemplate ?? {};
  return [
    LaunchTemplate ?? [],
    LaunchTemplateSpecification ?? [],
    Overrides.flatMap((override) => override.LaunchTemplateSpecification ?? []),
  ].flat();
};

/** Empty for a template that does not exist: AWS reports this before it checks permissions. */
const dataOf = (account: Account, region: string, { Version, ...reference }: Reference) => {
  try {
    return getVersion(findTemplate(account.ec2(region), reference), Version).data;
  } catch (error) {
    if (error instanceof AwsFault) return undefined;
    throw error;
  }
};

const launchOf = (account: Account, call: RecordedCall, reference: Reference): Call[] => {
  const data = dataOf(account, call.region, reference);
  if (!data) return [];
  const { VPCZoneIdentifier, AutoScalingGroupName } = call.input as Record<string, string | undefined>;
  const group = account.autoscaling(call.region).groups.get(AutoScalingGroupName ?? '');
  const SubnetId = VPCZoneIdentifier?.split(',')[0] ?? group?.subnetIds[0];
  const place = data.NetworkInterfaces?.length ? {} : { SubnetId };
  const input = { ...mergeData(data, { MinCount: 1, MaxCount: 1, ...place }), LaunchTemplate: reference };
  const launch = { ...call, service: 'ec2', operation: 'RunInstances', input: input as unknown as Call['input'] };
  const touched = touchedBy(account, launch);
  const launchTemplate = touched.find(({ arn }) => arn.includes(':launch-template/'))?.arn;
  return [{ ...launch, touched, ...(launchTemplate === undefined ? {} : { launchTemplate }) }];
};

/** The launches that a call makes possible. Must be called before the call has any effect. */
export const launchedBy = (account: Account, call: RecordedCall): Call[] => {
  if (call.service !== 'autoscaling') return [];
  const { DesiredConfiguration } = call.input as { DesiredConfiguration?: Source };
  const references = [...referencesOf(call.input), ...referencesOf(DesiredConfiguration ?? {})];
  return references.flatMap((reference) => launchOf(account, call, reference));
};
