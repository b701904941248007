/** Values of secrets and their versions. */
import type * as sdk from '@aws-sdk/client-secrets-manager';
import { AwsFault } from '../wire/fault.ts';
import type { Secret, Secrets, SecretVersion } from './state.ts';

const MOST_BYTES = 65_536;
const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';

type Value = Pick<sdk.PutSecretValueRequest, 'SecretString' | 'SecretBinary' | 'ClientRequestToken'>;

const checkValue = ({ SecretString, SecretBinary }: Value): void => {
  if (SecretString !== undefined && SecretBinary !== undefined)
    throw new AwsFault('InvalidParameterException', "You can't specify both a binary and a text value of a secret.");
  const length = SecretBinary?.length ?? Buffer.byteLength(SecretString ?? '');
  if (length > MOST_BYTES)
    throw new AwsFault(
      'ValidationException',
      `1 validation error detected: Value at 'secret' failed to satisfy constraint: Member must have length less than or equal to ${MOST_BYTES}`,
    );
};

const isSame = (version: SecretVersion, { SecretString, SecretBinary }: Value): boolean =>
  version.text === SecretString &&
  Buffer.from(version.binary ?? []).equals(Buffer.from(SecretBinary ?? [])) &&
  (version.binary === undefined) === (SecretBinary === undefined);

const checkToken = (token: string | undefined): void => {
  if (token !== undefined && (token.length < 32 || token.length > 64))
    throw new AwsFault('InvalidParameterException', 'ClientRequestToken must be 32-64 characters long.');
};

const moveStages = (secret: Secret): void => {
  for (const { stages } of secret.versions.values()) stages.delete(PREVIOUS);
  const before = [...secret.versions.values()].find(({ stages }) => stages.has(CURRENT));
  before?.stages.delete(CURRENT);
  before?.stages.add(PREVIOUS);
};

/** The version of a token that was already used. Throws ResourceExistsException if it had another value. */
export const repeatedVersion = (secret: Secret, value: Value): SecretVersion | undefined => {
  const version = secret.versions.get(value.ClientRequestToken ?? '');
  if (version && !isSame(version, value))
    throw new AwsFault(
      'ResourceExistsException',
      'You provided a ClientRequestToken that was used before for another value of this secret.',
    );
  return version;
};

/** Makes a value the current one. Undefined if there is no value. */
export const addVersion = (secrets: Secrets, secret: Secret, value: Value): SecretVersion | undefined => {
  checkValue(value);
  checkToken(value.ClientRequestToken);
  if (value.SecretString === undefined && value.SecretBinary === undefined) return undefined;
  const repeated = repeatedVersion(secret, value);
  if (repeated) return repeated;
  moveStages(secret);
  const now = secrets.place.clock.now();
  const version: SecretVersion = {
    id: value.ClientRequestToken ?? secrets.place.random.uuid(),
    createdAt: now,
    text: value.SecretString,
    binary: value.SecretBinary,
    stages: new Set([CURRENT]),
  };
  secret.versions.set(version.id, version);
  secret.changedAt = now;
  return version;
};

/** The version in a request, or the current one if it names none. Throws ResourceNotFoundException. */
export const getVersion = (secret: Secret, id: string | undefined, stage: string | undefined): SecretVersion => {
  const versions = [...secret.versions.values()];
  const wanted = stage ?? (id === undefined ? CURRENT : undefined);
  const found = versions.find(
    (version) => (id === undefined || version.id === id) && (wanted === undefined || version.stages.has(wanted)),
  );
  if (found) return found;
  throw new AwsFault(
    'ResourceNotFoundException',
    id === undefined
      ? `Secrets Manager can't find the specified secret value for staging label: ${wanted}`
      : `Secrets Manager can't find the specified secret value for VersionId: ${id}`,
  );
};
