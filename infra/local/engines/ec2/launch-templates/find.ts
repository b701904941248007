/** The ways in which calls refer to launch templates and their versions. */
import { AwsFault } from '../../wire/fault.ts';
import { KINDS } from '../kinds.ts';
import type { LaunchTemplate, LaunchTemplateVersion } from '../records.ts';
import type { Ec2 } from '../state.ts';

/** The specification of a template in a call: by id or by name, never by both. */
export interface TemplateReference {
  readonly LaunchTemplateId?: string;
  readonly LaunchTemplateName?: string;
}

const NAME_PATTERN = /^[\w().\-/]{3,128}$/;

/** Throws if EC2 does not accept a launch template's name. */
export const checkTemplateName = (name: string): void => {
  if (!NAME_PATTERN.test(name))
    throw new AwsFault(
      'InvalidLaunchTemplateName.MalformedException',
      'A launch template name must be between 3 and 128 characters, and may contain letters, numbers, and the following characters: - ( ) . / _',
    );
};

/** The template with a name, or undefined if it is not visible to a call. */
const templateNamed = (ec2: Ec2, name: string): LaunchTemplate | undefined =>
  ec2.launchTemplates.seen(undefined).find((template) => template.name === name);

/** The template in a call. Throws EC2's fault if there is none, or if the call contains both id and name. */
export const findTemplate = (ec2: Ec2, { LaunchTemplateId: id, LaunchTemplateName: name }: TemplateReference) => {
  if (id === undefined && name === undefined)
    throw new AwsFault(
      'MissingParameter',
      'The request must contain the parameter LaunchTemplateId or LaunchTemplateName',
    );
  if (id !== undefined && name !== undefined)
    throw new AwsFault(
      'InvalidParameterCombination',
      'Only one of the parameters LaunchTemplateId and LaunchTemplateName can be specified',
    );
  if (id !== undefined) return ec2.launchTemplates.get(id);
  const found = templateNamed(ec2, name ?? '');
  if (!found)
    throw new AwsFault(
      'InvalidLaunchTemplateName.NotFoundException',
      `The specified launch template, with template name ${name}, does not exist.`,
    );
  return found;
};

/** The newest version that exists. */
export const latestOf = ({ versions }: LaunchTemplate): number => Math.max(...versions.keys());

/** The version with a number, `$Latest` or `$Default`, or undefined if there is none. */
export const versionNamed = (template: LaunchTemplate, wanted: string): LaunchTemplateVersion | undefined => {
  if (wanted === '$Latest') return template.versions.get(latestOf(template));
  if (wanted === '$Default') return template.versions.get(template.defaultVersion);
  return /^\d+$/.test(wanted) ? template.versions.get(Number(wanted)) : undefined;
};

/** The version in a call; `$Default` if it names none. Throws EC2's fault if there is none. */
export const getVersion = (template: LaunchTemplate, wanted = '$Default'): LaunchTemplateVersion => {
  const found = versionNamed(template, wanted);
  if (!found)
    throw new AwsFault(
      'InvalidLaunchTemplateId.VersionNotFound',
      `Could not find the specified version ${wanted} for the launch template with ID ${template.id}.`,
    );
  return found;
};

/** Throws EC2's fault for the first id without a template. */
export const templatesOf = (
  ec2: Ec2,
  ids: readonly string[] | undefined,
  names: readonly string[] | undefined,
): LaunchTemplate[] => {
  const unknown = names?.find((name) => !templateNamed(ec2, name));
  if (unknown !== undefined)
    throw new AwsFault(
      'InvalidLaunchTemplateName.NotFoundException',
      'At least one of the launch templates specified in the request does not exist.',
    );
  const byName = (names ?? []).flatMap((name) => templateNamed(ec2, name) ?? []);
  if (!ids?.length && names?.length) return byName;
  return [...new Set([...ec2.launchTemplates.seen(ids), ...byName])];
};

export const TEMPLATE_TYPE = KINDS.launchTemplate.type;
