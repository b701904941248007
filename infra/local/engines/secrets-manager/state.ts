import { AwsFault } from '../wire/fault.ts';
import { arnOf, type Place } from '../wire/place.ts';

export interface SecretVersion {
  readonly id: string;
  readonly createdAt: Date;
  readonly text: string | undefined;
  readonly binary: Uint8Array | undefined;
  readonly stages: Set<string>;
}

export interface Secret {
  readonly arn: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly tags: Map<string, string>;
  readonly versions: Map<string, SecretVersion>;
  readonly kmsKeyId: string | undefined;
  description: string | undefined;
  changedAt: Date;
  accessedAt: Date | undefined;
  /** Set by a deletion with a recovery window: from this time on, the secret is permanently deleted. */
  goneAt: Date | undefined;
  deletedAt: Date | undefined;
}

/** The secrets of one region, by name. */
export interface Secrets {
  readonly place: Place;
  readonly byName: Map<string, Secret>;
}

export const createSecrets = (place: Place): Secrets => ({ place, byName: new Map() });

const SUFFIX_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The ARN of a new secret: its name and six random characters, so that a recreated secret has a different ARN. */
export const newSecretArn = (place: Place, name: string): string => {
  const suffix = [...place.random.bytes(6)].map((byte) => SUFFIX_ALPHABET[byte % SUFFIX_ALPHABET.length]).join('');
  return arnOf(place, 'secretsmanager', `secret:${name}-${suffix}`);
};

/** All secrets; those whose recovery window has ended are removed. */
export const allSecrets = ({ place, byName }: Secrets): Secret[] => {
  const now = place.clock.now();
  for (const [name, { goneAt }] of byName) if (goneAt && goneAt <= now) byName.delete(name);
  return [...byName.values()];
};

/** The secret with a name, an ARN or an ARN without its last six characters, if it exists. */
export const findSecret = (secrets: Secrets, id: string): Secret | undefined =>
  allSecrets(secrets).find(({ arn, name }) => id === name || id === arn || `${id}-` === arn.slice(0, -6));

/** The secret. Throws ResourceNotFoundException. */
export const getSecret = (secrets: Secrets, id: string | undefined): Secret => {
  const secret = findSecret(secrets, id ?? '');
  if (!secret) throw new AwsFault('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  return secret;
};

/** The secret, if it is not marked for deletion. Throws ResourceNotFoundException or InvalidRequestException. */
export const getLiveSecret = (secrets: Secrets, id: string | undefined): Secret => {
  const secret = getSecret(secrets, id);
  if (secret.deletedAt)
    throw new AwsFault(
      'InvalidRequestException',
      "You can't perform this operation on the secret because it was marked for deletion.",
    );
  return secret;
};
