import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { applyFilters } from '../filters.ts';
import { fingerprintOf } from '../instances/fingerprint.ts';
import { KINDS } from '../kinds.ts';
import type { LaunchTemplate, LaunchTemplateVersion } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagsFor } from '../tags.ts';
import { checkData } from './data.ts';
import { checkTemplateName, findTemplate, getVersion, TEMPLATE_TYPE, templatesOf } from './find.ts';
import { dataOfInstance } from './from-instance.ts';
import { repeatedTemplate } from './tokens.ts';
import { pageBy, templateFields, templateView } from './view.ts';

const CREATE = ['ClientToken', 'LaunchTemplateName', 'VersionDescription', 'LaunchTemplateData', 'TagSpecifications'];

/** The creator in EC2's answers: the account's root, because this service does not check credentials. */
export const creatorOf = ({ place }: Ec2): string => `arn:aws:iam::${place.accountId}:root`;

const create = (ec2: Ec2, input: sdk.CreateLaunchTemplateRequest): LaunchTemplate => {
  onlySimulated('ec2:CreateLaunchTemplate', input, CREATE);
  const repeated = repeatedTemplate(ec2, 'template', input);
  if (repeated) return repeated.template;
  const name = input.LaunchTemplateName ?? '';
  checkTemplateName(name);
  const data = checkData(input.LaunchTemplateData);
  const tags = tagsFor(input.TagSpecifications, TEMPLATE_TYPE);
  // A template that is not visible yet also occupies its name.
  if (ec2.launchTemplates.all().some((template) => template.name === name))
    throw new AwsFault('InvalidLaunchTemplateName.AlreadyExistsException', 'Launch template name already in use.');
  const born = ec2.born(KINDS.launchTemplate, tags);
  const createdBy = creatorOf(ec2);
  const first: LaunchTemplateVersion = {
    ...{ number: 1, description: input.VersionDescription, createdAt: born.createdAt, createdBy, data },
  };
  const versions = new Map([[1, first]]);
  const template = ec2.launchTemplates.add({ ...born, name, createdBy, defaultVersion: 1, versionsMade: 1, versions });
  if (input.ClientToken)
    ec2.templateTokens.set(`template ${input.ClientToken}`, {
      ...{ fingerprint: fingerprintOf(input), templateId: template.id, version: 1 },
    });
  return template;
};

const modify = (ec2: Ec2, input: sdk.ModifyLaunchTemplateRequest): LaunchTemplate => {
  const known = ['ClientToken', 'LaunchTemplateId', 'LaunchTemplateName', 'DefaultVersion'];
  onlySimulated('ec2:ModifyLaunchTemplate', input, known);
  const template = findTemplate(ec2, input);
  if (input.DefaultVersion === undefined)
    throw new AwsFault('MissingParameter', 'The request must contain the parameter SetDefaultVersion');
  template.defaultVersion = getVersion(template, input.DefaultVersion).number;
  return template;
};

/** Launch templates as a whole. */
export const launchTemplateActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateLaunchTemplate: (input) => ({ LaunchTemplate: templateView(create(ec2, input)) }),
  ModifyLaunchTemplate: (input) => ({ LaunchTemplate: templateView(modify(ec2, input)) }),
  GetLaunchTemplateData: ({ InstanceId }) => ({
    LaunchTemplateData: dataOfInstance(ec2, ec2.instances.get(InstanceId)),
  }),
  DeleteLaunchTemplate: ({ LaunchTemplateId, LaunchTemplateName }) => {
    const template = findTemplate(ec2, { LaunchTemplateId, LaunchTemplateName });
    const view = templateView(template);
    ec2.launchTemplates.remove(template.id);
    return { LaunchTemplate: view };
  },
  DescribeLaunchTemplates: ({ LaunchTemplateIds, LaunchTemplateNames, Filters, ...page }) => {
    const found = templatesOf(ec2, LaunchTemplateIds, LaunchTemplateNames);
    const fitting = applyFilters(found, Filters, templateFields).toSorted((a, b) => a.sequence - b.sequence);
    const { rows, NextToken } = pageBy(fitting, ({ id }) => id, page);
    return { LaunchTemplates: rows.map(templateView), NextToken };
  },
});
