import { timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../../../shared/kinds/index.ts';
import type { User } from '../../../../shared/kube-api/server/user.ts';
import { parseToken } from '../kubeadm/bootstrap-token.ts';

export const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** The subject of a verified client certificate: Kubernetes reads CN as the user and O as the groups. */
export interface CertificateSubject {
  CN?: string | string[];
  O?: string | string[];
}

const listOf = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** The user of a client certificate that the cluster's CA has signed. */
export const userOfCertificate = ({ CN, O }: CertificateSubject): User => ({
  name: listOf(CN)[0] ?? '',
  groups: [...listOf(O), 'system:authenticated'],
});

export const TOKEN_SECRET_TYPE = 'bootstrap.kubernetes.io/token';
const GROUP_PREFIX = 'system:bootstrappers:';

/** One value of a Secret as text. */
export const secretText = (secret: Secret, key: string): string =>
  Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');

/** Whether a bootstrap token has expired. A time that cannot be read counts as expired, as upstream treats it. */
export const isExpired = (secret: Secret, now: Date): boolean => {
  const expiration = secretText(secret, 'expiration');
  if (expiration === '') return false;
  const end = Date.parse(expiration);
  return Number.isNaN(end) || end <= now.getTime();
};

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/**
 * The user of a bootstrap token, or undefined if it does not authenticate. `find` returns the Secret
 * kube-system/bootstrap-token-<id>. Source: Kubernetes, "Authenticating with bootstrap tokens", secret format.
 */
export const userOfToken = async (
  token: string,
  find: (secretName: string) => Promise<Secret | undefined>,
  now: Date,
): Promise<User | undefined> => {
  const parts = parseToken(token);
  const secret = parts && (await find(`bootstrap-token-${parts.id}`));
  if (!secret || secret.type !== TOKEN_SECRET_TYPE || secret.metadata.deletionTimestamp) return undefined;
  const isValid =
    secretText(secret, 'token-id') === parts.id &&
    isSame(secretText(secret, 'token-secret'), parts.secret) &&
    secretText(secret, 'usage-bootstrap-authentication') === 'true' &&
    !isExpired(secret, now);
  if (!isValid) return undefined;
  const extra = secretText(secret, 'auth-extra-groups')
    .split(',')
    .filter((group) => group.startsWith(GROUP_PREFIX));
  return {
    name: `system:bootstrap:${parts.id}`,
    groups: ['system:bootstrappers', ...extra, 'system:authenticated'],
  };
};
