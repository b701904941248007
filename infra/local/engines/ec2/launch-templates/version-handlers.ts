import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { applyFilters } from '../filters.ts';
import { fingerprintOf } from '../instances/fingerprint.ts';
import type { LaunchTemplate, LaunchTemplateVersion } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { checkData, inherit } from './data.ts';
import { findTemplate, getVersion, latestOf, versionNamed } from './find.ts';
import { creatorOf } from './handlers.ts';
import { repeatedTemplate } from './tokens.ts';
import { pageBy, type VersionRow, versionFields, versionView } from './view.ts';

const CREATE = [
  'ClientToken',
  'LaunchTemplateId',
  'LaunchTemplateName',
  'SourceVersion',
  'VersionDescription',
  'LaunchTemplateData',
];

const VERSIONS_PER_TEMPLATE = 10_000;

const create = (ec2: Ec2, input: sdk.CreateLaunchTemplateVersionRequest): Omit<VersionRow, 'tags'> => {
  onlySimulated('ec2:CreateLaunchTemplateVersion', input, CREATE);
  const repeated = repeatedTemplate(ec2, 'version', input);
  if (repeated) return { template: repeated.template, version: getVersion(repeated.template, `${repeated.version}`) };
  const template = findTemplate(ec2, input);
  const source = input.SourceVersion === undefined ? {} : getVersion(template, input.SourceVersion).data;
  const data = checkData(inherit(source, input.LaunchTemplateData ?? {}));
  if (template.versions.size >= VERSIONS_PER_TEMPLATE)
    throw new AwsFault(
      'LaunchTemplateVersionLimitExceeded',
      `A launch template can have at most ${VERSIONS_PER_TEMPLATE} versions.`,
    );
  template.versionsMade += 1;
  const version: LaunchTemplateVersion = {
    number: template.versionsMade,
    description: input.VersionDescription,
    createdAt: ec2.now(),
    createdBy: creatorOf(ec2),
    data,
  };
  template.versions.set(version.number, version);
  if (input.ClientToken)
    ec2.templateTokens.set(`version ${input.ClientToken}`, {
      ...{ fingerprint: fingerprintOf(input), templateId: template.id, version: version.number },
    });
  return { template, version };
};

const rowsOf = (template: LaunchTemplate, versions: readonly LaunchTemplateVersion[]): VersionRow[] =>
  versions.map((version) => ({ template, version, tags: template.tags }));

/** `$Latest` and `$Default` of all templates: the only versions that a call can request without naming a template. */
const rowsOfAll = (ec2: Ec2, wanted: readonly string[]): VersionRow[] => {
  if (wanted.length === 0 || wanted.some((name) => name !== '$Latest' && name !== '$Default'))
    throw new AwsFault(
      'MissingParameter',
      'The request must contain the parameter LaunchTemplateId or LaunchTemplateName, or only the versions $Latest and $Default.',
    );
  return ec2.launchTemplates
    .seen(undefined)
    .flatMap((template) =>
      rowsOf(template, [...new Set(wanted.flatMap((name) => versionNamed(template, name) ?? []))]),
    );
};

const rangeOf = (template: LaunchTemplate, { MinVersion, MaxVersion }: sdk.DescribeLaunchTemplateVersionsRequest) => {
  const min = MinVersion === undefined ? 1 : Number(MinVersion);
  const max = MaxVersion === undefined ? latestOf(template) : Number(MaxVersion);
  return [...template.versions.values()]
    .filter(({ number }) => number >= min && number <= max)
    .toSorted((a, b) => b.number - a.number);
};

const candidates = (ec2: Ec2, input: sdk.DescribeLaunchTemplateVersionsRequest): VersionRow[] => {
  const { LaunchTemplateId, LaunchTemplateName, Versions, MinVersion, MaxVersion } = input;
  if (Versions?.length && (MinVersion !== undefined || MaxVersion !== undefined))
    throw new AwsFault(
      'InvalidParameterCombination',
      'The parameter Versions cannot be used together with MinVersion and MaxVersion',
    );
  if (LaunchTemplateId === undefined && LaunchTemplateName === undefined) return rowsOfAll(ec2, Versions ?? []);
  const template = findTemplate(ec2, { LaunchTemplateId, LaunchTemplateName });
  if (!Versions?.length) return rowsOf(template, rangeOf(template, input));
  return rowsOf(template, [...new Set(Versions.map((wanted) => getVersion(template, wanted)))]);
};

const refusalOf = (template: LaunchTemplate, wanted: string): { code: string; message: string } | undefined => {
  const version = versionNamed(template, wanted);
  if (!version)
    return {
      code: 'launchTemplateVersionDoesNotExist',
      message: `Could not find the specified version ${wanted} for the launch template with ID ${template.id}.`,
    };
  if (version.number !== template.defaultVersion) return undefined;
  return {
    code: 'unexpectedError',
    message: 'Cannot delete the default version. Assign another version as the default first.',
  };
};

const remove = (ec2: Ec2, input: sdk.DeleteLaunchTemplateVersionsRequest): sdk.DeleteLaunchTemplateVersionsResult => {
  const template = findTemplate(ec2, input);
  const named = { LaunchTemplateId: template.id, LaunchTemplateName: template.name };
  const wanted = input.Versions ?? [];
  if (wanted.length === 0)
    throw new AwsFault('MissingParameter', 'The request must contain the parameter LaunchTemplateVersion');
  const [done, refused]: [sdk.DeleteLaunchTemplateVersionsResponseSuccessItem[], object[]] = [[], []];
  for (const name of wanted) {
    const refusal = refusalOf(template, name);
    const VersionNumber = versionNamed(template, name)?.number ?? Number(name);
    if (!refusal) {
      template.versions.delete(VersionNumber);
      done.push({ ...named, VersionNumber });
    } else {
      const ResponseError = { Code: refusal.code as sdk.LaunchTemplateErrorCode, Message: refusal.message };
      refused.push({ ...named, VersionNumber, ResponseError });
    }
  }
  return { SuccessfullyDeletedLaunchTemplateVersions: done, UnsuccessfullyDeletedLaunchTemplateVersions: refused };
};

/** Versions of launch templates. */
export const templateVersionActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateLaunchTemplateVersion: (input) => ({ LaunchTemplateVersion: versionView(create(ec2, input)) }),
  DeleteLaunchTemplateVersions: (input) => remove(ec2, input),
  DescribeLaunchTemplateVersions: (input) => {
    const rows = applyFilters(candidates(ec2, input), input.Filters, versionFields);
    const page = pageBy(rows, ({ template, version }) => `${template.id} ${version.number}`, input);
    return { LaunchTemplateVersions: page.rows.map(versionView), NextToken: page.NextToken };
  },
});
