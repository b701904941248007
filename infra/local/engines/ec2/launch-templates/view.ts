/** Launch templates and their versions in responses, and their filters. */
import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault } from '../../wire/fault.ts';
import type { FilterFields } from '../filters.ts';
import type { LaunchTemplate, LaunchTemplateVersion } from '../records.ts';
import { tagList } from '../tags.ts';
import { latestOf } from './find.ts';

/** A version with the template that it belongs to. */
export interface VersionRow {
  readonly template: LaunchTemplate;
  readonly version: LaunchTemplateVersion;
  readonly tags: Map<string, string>;
}

export const templateView = (template: LaunchTemplate): sdk.LaunchTemplate => ({
  LaunchTemplateId: template.id,
  LaunchTemplateName: template.name,
  CreateTime: new Date(template.createdAt),
  CreatedBy: template.createdBy,
  DefaultVersionNumber: template.defaultVersion,
  LatestVersionNumber: latestOf(template),
  Tags: tagList(template.tags),
});

export const versionView = ({ template, version }: Omit<VersionRow, 'tags'>): sdk.LaunchTemplateVersion => ({
  LaunchTemplateId: template.id,
  LaunchTemplateName: template.name,
  VersionNumber: version.number,
  VersionDescription: version.description,
  CreateTime: new Date(version.createdAt),
  CreatedBy: version.createdBy,
  DefaultVersion: version.number === template.defaultVersion,
  LaunchTemplateData: version.data as sdk.ResponseLaunchTemplateData,
});

const time = (at: number): string => new Date(at).toISOString();

export const templateFields: FilterFields<LaunchTemplate> = {
  'create-time': ({ createdAt }) => time(createdAt),
  'launch-template-name': ({ name }) => name,
};

export const versionFields: FilterFields<VersionRow> = {
  'create-time': ({ version }) => time(version.createdAt),
  'ebs-optimized': ({ version }) => version.data.EbsOptimized,
  'iam-instance-profile': ({ version: { data } }) => data.IamInstanceProfile?.Arn ?? data.IamInstanceProfile?.Name,
  'image-id': ({ version }) => version.data.ImageId,
  'instance-type': ({ version }) => version.data.InstanceType,
  'is-default-version': ({ template, version }) => template.defaultVersion === version.number,
  'http-tokens': ({ version }) => version.data.MetadataOptions?.HttpTokens,
  'http-endpoint': ({ version }) => version.data.MetadataOptions?.HttpEndpoint,
};

const MAX_RESULTS = 200;

/** One page of rows that are already sorted. The token names the last row, by `keyOf`. */
export const pageBy = <Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { MaxResults = MAX_RESULTS, NextToken }: { MaxResults?: number; NextToken?: string },
): { rows: Row[]; NextToken: string | undefined } => {
  if (MaxResults < 1 || MaxResults > MAX_RESULTS)
    throw new AwsFault(
      'InvalidParameterValue',
      `Value ( ${MaxResults} ) for parameter maxResults is invalid. Expecting a value between 1 and ${MAX_RESULTS}.`,
    );
  const after = NextToken && Buffer.from(NextToken, 'base64url').toString('utf8');
  const at = after ? rows.findIndex((row) => keyOf(row) === after) : -1;
  if (after && at < 0) throw new AwsFault('InvalidNextToken', 'The token that was provided is invalid.');
  const page = rows.slice(at + 1, at + 1 + MaxResults);
  const last = page.at(-1);
  const isMore = last !== undefined && at + 1 + MaxResults < rows.length;
  return { rows: page, NextToken: isMore ? Buffer.from(keyOf(last)).toString('base64url') : undefined };
};
