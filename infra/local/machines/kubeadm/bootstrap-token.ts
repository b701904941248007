import { createHmac, timingSafeEqual } from 'node:crypto';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

export interface TokenParts {
  id: string;
  secret: string;
}

/** Splits a bootstrap token; undefined if it does not have the form `[a-z0-9]{6}.[a-z0-9]{16}`. */
export const parseToken = (token: string): TokenParts | undefined => {
  const match = TOKEN.exec(token);
  return match ? { id: match[1] ?? '', secret: match[2] ?? '' } : undefined;
};

const base64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

/**
 * The detached signature with which the bootstrap signer signs cluster-info: a compact JWS (HS256, key id = token id,
 * key = token secret) without its payload, which is the kubeconfig. Source: Kubernetes, "Authenticating with bootstrap
 * tokens", ConfigMap signing.
 */
export const signDetached = (kubeconfig: string, { id, secret }: TokenParts): string => {
  const header = base64url(JSON.stringify({ alg: 'HS256', kid: id }));
  const signature = createHmac('sha256', secret)
    .update(`${header}.${base64url(kubeconfig)}`)
    .digest('base64url');
  return `${header}..${signature}`;
};

/** Whether `signature` was made with the token. */
export const isSignedBy = (signature: string, kubeconfig: string, token: TokenParts): boolean => {
  const expected = Buffer.from(signDetached(kubeconfig, token));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
};
