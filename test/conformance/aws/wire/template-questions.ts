import { countIn, valueIn } from '../raw.ts';
import { ec2, SUBNET, VPC } from './given.ts';
import type { Question } from './question.ts';

const LOST = 'lt-0123456789abcdef0';

const DATA = { 'LaunchTemplateData.ImageId': '{image}', 'LaunchTemplateData.InstanceType': 't3.micro' };
const TEMPLATE_INPUT = { LaunchTemplateName: '{unique}', ...DATA };

/** Creates a template with one version and a unique name. */
export const TEMPLATE = ec2('CreateLaunchTemplate', TEMPLATE_INPUT, { template: 'launchTemplateId' });

const version = (change: Record<string, unknown>) =>
  ec2('CreateLaunchTemplateVersion', { LaunchTemplateId: '{template}', ...change });
const SECOND = version({ 'LaunchTemplateData.InstanceType': 't3.small' });
const versions = (change: Record<string, unknown> = {}) =>
  ec2('DescribeLaunchTemplateVersions', { LaunchTemplateId: '{template}', ...change });
const create = (change: Record<string, unknown>) => ec2('CreateLaunchTemplate', { ...TEMPLATE_INPUT, ...change });
const launch = (change: Record<string, unknown> = {}) =>
  ec2('RunInstances', {
    ...{ MinCount: 1, MaxCount: 1, SubnetId: '{subnet}' },
    'LaunchTemplate.LaunchTemplateId': '{template}',
    ...change,
  });

const typeIn = ({ body }: { body: string }): string => valueIn(body, 'instanceType') || 'none';
const countOf =
  (element: string) =>
  ({ body }: { body: string }) =>
    String(countIn(body, element));

export const TEMPLATE_QUESTIONS: readonly Question[] = [
  { name: 'a launch template', ask: create({}) },
  { name: 'a launch template whose name is taken', given: [TEMPLATE], ask: create({}) },
  { name: 'a launch template with a name of two letters', ask: create({ LaunchTemplateName: 'ab' }) },
  { name: 'a launch template with a space in its name', ask: create({ LaunchTemplateName: '{unique} a' }) },
  {
    name: 'a launch template without parameters',
    ask: ec2('CreateLaunchTemplate', { LaunchTemplateName: '{unique}' }),
  },
  {
    name: 'a launch template with tags of a VPC',
    ask: create({
      'TagSpecification.1.ResourceType': 'vpc',
      'TagSpecification.1.Tag.1.Key': 'a',
      'TagSpecification.1.Tag.1.Value': 'b',
    }),
  },
  {
    name: 'a launch template, requested twice with one token',
    given: [
      ec2('CreateLaunchTemplate', { ...TEMPLATE_INPUT, ClientToken: '{unique}' }, { template: 'launchTemplateId' }),
    ],
    ask: create({ ClientToken: '{unique}' }),
    see: ({ body }, { template }) => (valueIn(body, 'launchTemplateId') === template ? 'the same' : 'another'),
  },
  {
    name: 'another launch template with a token that was used',
    given: [ec2('CreateLaunchTemplate', { ...TEMPLATE_INPUT, ClientToken: '{unique}' })],
    ask: create({ ClientToken: '{unique}', 'LaunchTemplateData.InstanceType': 't3.small' }),
  },
  {
    name: 'describe a launch template that does not exist',
    ask: ec2('DescribeLaunchTemplates', { 'LaunchTemplateId.1': LOST }),
  },
  {
    name: 'describe a launch template by a name that does not exist',
    ask: ec2('DescribeLaunchTemplates', { 'LaunchTemplateName.1': '{unique}' }),
  },
  {
    name: 'delete a launch template that does not exist',
    ask: ec2('DeleteLaunchTemplate', { LaunchTemplateId: LOST }),
  },
  {
    name: 'delete a launch template',
    given: [TEMPLATE],
    ask: ec2('DeleteLaunchTemplate', { LaunchTemplateId: '{template}' }),
  },
  {
    name: 'a version of a launch template that does not exist',
    ask: ec2('CreateLaunchTemplateVersion', { LaunchTemplateId: LOST, ...DATA }),
  },
  {
    name: 'a version that inherits from a source',
    given: [TEMPLATE],
    ask: version({ SourceVersion: 1, 'LaunchTemplateData.EbsOptimized': 'true' }),
    see: typeIn,
  },
  {
    name: 'a version that inherits from none',
    given: [TEMPLATE],
    ask: version({ 'LaunchTemplateData.EbsOptimized': 'true' }),
    see: typeIn,
  },
  {
    name: 'a version whose source does not exist',
    given: [TEMPLATE],
    ask: version({ SourceVersion: 7, 'LaunchTemplateData.EbsOptimized': 'true' }),
  },
  {
    name: 'the version of a launch template that does not exist',
    given: [TEMPLATE],
    ask: versions({ 'LaunchTemplateVersion.1': 7 }),
  },
  {
    name: 'the first of the listed versions',
    given: [TEMPLATE, SECOND],
    ask: versions(),
    see: ({ body }) => valueIn(body, 'versionNumber'),
  },
  {
    name: 'the versions $Latest and $Default',
    given: [TEMPLATE, SECOND],
    ask: versions({ 'LaunchTemplateVersion.1': '$Latest', 'LaunchTemplateVersion.2': '$Default' }),
    see: countOf('versionNumber'),
  },
  {
    name: 'versions from a minimum on',
    given: [TEMPLATE, SECOND],
    ask: versions({ MinVersion: 2 }),
    see: countOf('versionNumber'),
  },
  {
    name: 'the default version after it was changed',
    given: [TEMPLATE, SECOND, ec2('ModifyLaunchTemplate', { LaunchTemplateId: '{template}', SetDefaultVersion: 2 })],
    ask: ec2('DescribeLaunchTemplates', { 'LaunchTemplateId.1': '{template}' }),
    see: ({ body }) => valueIn(body, 'defaultVersionNumber'),
  },
  {
    name: 'a default version that does not exist',
    given: [TEMPLATE],
    ask: ec2('ModifyLaunchTemplate', { LaunchTemplateId: '{template}', SetDefaultVersion: 7 }),
  },
  {
    name: 'versions that are deleted, one of them the default',
    given: [TEMPLATE, SECOND],
    ask: ec2('DeleteLaunchTemplateVersions', {
      LaunchTemplateId: '{template}',
      'LaunchTemplateVersion.1': 1,
      'LaunchTemplateVersion.2': 2,
    }),
    see: ({ body }) => `${countIn(body.split('unsuccessfullyDeleted')[0] ?? '', 'versionNumber')} deleted`,
  },
  {
    name: 'a launch from a template',
    given: [VPC, SUBNET, TEMPLATE],
    ask: launch(),
    see: typeIn,
  },
  {
    name: 'a launch from the latest version of a template',
    given: [VPC, SUBNET, TEMPLATE, version({ SourceVersion: 1, 'LaunchTemplateData.InstanceType': 't3.small' })],
    ask: launch({ 'LaunchTemplate.Version': '$Latest' }),
    see: typeIn,
  },
  {
    name: 'a launch with a parameter that the template has as well',
    given: [VPC, SUBNET, TEMPLATE],
    ask: launch({ InstanceType: 't3.large' }),
    see: typeIn,
  },
  {
    name: 'the tags of an instance from a template',
    given: [VPC, SUBNET, TEMPLATE],
    ask: launch(),
    see: ({ body }) => `${countIn(body.replaceAll('aws:ec2launchtemplate:', '<ours>'), 'ours')} of AWS`,
  },
  {
    name: 'a launch from a template that does not exist',
    given: [VPC, SUBNET],
    ask: launch({ 'LaunchTemplate.LaunchTemplateId': LOST }),
  },
  {
    name: 'a launch from a version that does not exist',
    given: [VPC, SUBNET, TEMPLATE],
    ask: launch({ 'LaunchTemplate.Version': 7 }),
  },
];
