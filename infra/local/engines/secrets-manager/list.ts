import type * as sdk from '@aws-sdk/client-secrets-manager';
import { AwsFault } from '../wire/fault.ts';
import { allSecrets, type Secret, type Secrets } from './state.ts';

const FIELDS: Readonly<Record<string, (secret: Secret) => readonly string[]>> = {
  name: ({ name }) => [name],
  description: ({ description }) => (description === undefined ? [] : [description]),
  'tag-key': ({ tags }) => [...tags.keys()],
  'tag-value': ({ tags }) => [...tags.values()],
  all: ({ name, description = '', tags }) => [name, description, ...tags.keys(), ...tags.values()],
};

/** A filter matches if the field begins with one of its values, and with none of the values that have a `!` prefix. */
const fits = (secret: Secret, { Key = 'all', Values = [] }: sdk.Filter): boolean => {
  const field = FIELDS[Key];
  if (!field) throw new AwsFault('InvalidParameterException', `The filter '${Key}' is not simulated or not valid.`);
  const texts = field(secret);
  const begins = (value: string) => texts.some((text) => text.startsWith(value));
  const refused = Values.filter((value) => value.startsWith('!'));
  const wanted = Values.filter((value) => !value.startsWith('!'));
  return !refused.some((value) => begins(value.slice(1))) && (wanted.length === 0 || wanted.some(begins));
};

const view = (secret: Secret): sdk.SecretListEntry => ({
  ARN: secret.arn,
  Name: secret.name,
  Description: secret.description,
  CreatedDate: secret.createdAt,
  LastChangedDate: secret.changedAt,
  DeletedDate: secret.deletedAt,
  Tags: [...secret.tags].map(([Key, Value]) => ({ Key, Value })),
  SecretVersionsToStages: Object.fromEntries([...secret.versions.values()].map(({ id, stages }) => [id, [...stages]])),
});

/**
 * One page of secrets in the order of their ARNs. The token is the encoded ARN of the last secret on the previous page.
 */
export const listSecrets = (secrets: Secrets, input: sdk.ListSecretsRequest): sdk.ListSecretsResponse => {
  const { MaxResults = 100, NextToken, Filters = [], IncludePlannedDeletion = false } = input;
  const rows = allSecrets(secrets)
    .filter(({ deletedAt }) => IncludePlannedDeletion || !deletedAt)
    .filter((secret) => Filters.every((filter) => fits(secret, filter)))
    .sort((a, b) => (a.arn < b.arn ? -1 : 1));
  const after = NextToken ? Buffer.from(NextToken, 'base64url').toString('utf8') : '';
  const rest = rows.filter(({ arn }) => arn > after);
  const page = rest.slice(0, MaxResults);
  const last = page.at(-1);
  const more = rest.length > page.length && last;
  return { SecretList: page.map(view), NextToken: more ? Buffer.from(last.arn).toString('base64url') : undefined };
};
