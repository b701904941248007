import type * as sdk from '@aws-sdk/client-secrets-manager';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { listSecrets } from './list.ts';
import { allSecrets, findSecret, getLiveSecret, getSecret, newSecretArn, type Secret, type Secrets } from './state.ts';
import { addVersion, getVersion, repeatedVersion } from './values.ts';

const DAY_MILLISECONDS = 86_400_000;
const MOST_TAGS = 50;

const addTags = (to: Map<string, string>, tags: readonly sdk.Tag[] | undefined): void => {
  for (const { Key = '' } of tags ?? [])
    if (Key === '' || /^aws:/i.test(Key))
      throw new AwsFault('InvalidParameterException', `The tag key '${Key}' is not valid: 'aws:' is reserved.`);
  const merged = new Map([...to, ...(tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value] as const)]);
  if (merged.size > MOST_TAGS)
    throw new AwsFault('LimitExceededException', `A secret can have at most ${MOST_TAGS} tags.`);
  for (const [key, value] of merged) to.set(key, value);
};

const checkFree = (secrets: Secrets, input: sdk.CreateSecretRequest): Secret | undefined => {
  const found = allSecrets(secrets).find(({ name }) => name === input.Name);
  if (found?.deletedAt)
    throw new AwsFault(
      'InvalidRequestException',
      "You can't create this secret because a secret with this name is already scheduled for deletion.",
    );
  if (found && !repeatedVersion(found, input))
    throw new AwsFault(
      'ResourceExistsException',
      `The operation failed because the secret ${input.Name} already exists.`,
    );
  return found;
};

const newSecret = (secrets: Secrets, { Name: name = '', Description, KmsKeyId }: sdk.CreateSecretRequest): Secret => {
  if (!/^[A-Za-z0-9/_+=.@-]{1,512}$/.test(name))
    throw new AwsFault(
      'ValidationException',
      'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
    );
  const now = secrets.place.clock.now();
  return {
    arn: newSecretArn(secrets.place, name),
    name,
    createdAt: now,
    tags: new Map(),
    versions: new Map(),
    kmsKeyId: KmsKeyId,
    description: Description,
    changedAt: now,
    accessedAt: undefined,
    goneAt: undefined,
    deletedAt: undefined,
  };
};

const create = (secrets: Secrets, input: sdk.CreateSecretRequest) => {
  const known = ['Name', 'ClientRequestToken', 'Description', 'KmsKeyId', 'SecretBinary', 'SecretString', 'Tags'];
  onlySimulated('secretsmanager:CreateSecret', input, known);
  const before = checkFree(secrets, input);
  if (before) return { ARN: before.arn, Name: before.name, VersionId: input.ClientRequestToken };
  const secret = newSecret(secrets, input);
  addTags(secret.tags, input.Tags);
  const version = addVersion(secrets, secret, input);
  secrets.byName.set(secret.name, secret);
  return { ARN: secret.arn, Name: secret.name, VersionId: version?.id };
};

const windowOf = ({ ForceDeleteWithoutRecovery, RecoveryWindowInDays }: sdk.DeleteSecretRequest): number => {
  if (ForceDeleteWithoutRecovery && RecoveryWindowInDays !== undefined)
    throw new AwsFault(
      'InvalidParameterException',
      "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.",
    );
  if (ForceDeleteWithoutRecovery) return 0;
  const days = RecoveryWindowInDays ?? 30;
  if (days < 7 || days > 30)
    throw new AwsFault(
      'InvalidParameterException',
      'The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).',
    );
  return days;
};

const remove = (secrets: Secrets, input: sdk.DeleteSecretRequest) => {
  const days = windowOf(input);
  const now = secrets.place.clock.now();
  const { SecretId: id = '' } = input;
  if (days === 0) {
    // A forced deletion also succeeds for a secret that does not exist.
    const found = findSecret(secrets, id);
    if (found) secrets.byName.delete(found.name);
    return { ARN: found?.arn ?? id, Name: found?.name ?? id, DeletionDate: now };
  }
  const secret = getLiveSecret(secrets, id);
  secret.deletedAt = now;
  secret.goneAt = new Date(now.getTime() + days * DAY_MILLISECONDS);
  return { ARN: secret.arn, Name: secret.name, DeletionDate: secret.goneAt };
};

const stagesOf = ({ versions }: Secret): Record<string, string[]> =>
  Object.fromEntries([...versions.values()].map(({ id, stages }) => [id, [...stages]]));

const read = (secrets: Secrets, { SecretId, VersionId, VersionStage }: sdk.GetSecretValueRequest) => {
  const secret = getLiveSecret(secrets, SecretId);
  const version = getVersion(secret, VersionId, VersionStage);
  secret.accessedAt = secrets.place.clock.now();
  return {
    ARN: secret.arn,
    Name: secret.name,
    VersionId: version.id,
    VersionStages: [...version.stages],
    SecretString: version.text,
    SecretBinary: version.binary,
    CreatedDate: version.createdAt,
  };
};

/** Secrets and their values. Rotation, replication and resource policies are not simulated. */
export const secretsManagerHandlers = (secrets: Secrets): Handlers<typeof sdk> => ({
  CreateSecret: (input) => create(secrets, input),
  GetSecretValue: (input) => read(secrets, input),
  PutSecretValue: (input) => {
    const known = ['SecretId', 'ClientRequestToken', 'SecretBinary', 'SecretString'];
    onlySimulated('secretsmanager:PutSecretValue', input, known);
    const secret = getLiveSecret(secrets, input.SecretId);
    const version = addVersion(secrets, secret, input);
    if (!version)
      throw new AwsFault('InvalidRequestException', 'You must provide either SecretString or SecretBinary.');
    return { ARN: secret.arn, Name: secret.name, VersionId: version.id, VersionStages: [...version.stages] };
  },
  DescribeSecret: ({ SecretId }) => {
    const secret = getSecret(secrets, SecretId);
    return {
      ARN: secret.arn,
      Name: secret.name,
      Description: secret.description,
      KmsKeyId: secret.kmsKeyId,
      CreatedDate: secret.createdAt,
      LastChangedDate: secret.changedAt,
      LastAccessedDate: secret.accessedAt,
      DeletedDate: secret.deletedAt,
      Tags: [...secret.tags].map(([Key, Value]) => ({ Key, Value })),
      VersionIdsToStages: stagesOf(secret),
    };
  },
  ListSecrets: (input) => listSecrets(secrets, input),
  DeleteSecret: (input) => remove(secrets, input),
  RestoreSecret: ({ SecretId }) => {
    const secret = getSecret(secrets, SecretId);
    secret.deletedAt = undefined;
    secret.goneAt = undefined;
    return { ARN: secret.arn, Name: secret.name };
  },
  TagResource: ({ SecretId, Tags }) => {
    addTags(getLiveSecret(secrets, SecretId).tags, Tags);
    return {};
  },
  UntagResource: ({ SecretId, TagKeys = [] }) => {
    const { tags } = getLiveSecret(secrets, SecretId);
    for (const key of TagKeys) tags.delete(key);
    return {};
  },
});
