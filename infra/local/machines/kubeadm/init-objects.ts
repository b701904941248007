import { stringify } from 'yaml';
import { formatTime } from '../../../../shared/kube-api/object.ts';
import type { Json } from './api-client.ts';
import { parseToken } from './bootstrap-token.ts';
import type { BootstrapToken } from './config.ts';
import { KubeadmError } from './error.ts';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** The Secret of a bootstrap token of InitConfiguration. Throws KubeadmError for a malformed token. */
export const tokenSecret = (token: BootstrapToken, now: Date): Json => {
  const parts = parseToken(token.token);
  if (!parts) throw new KubeadmError('bootstrapTokens: Invalid value: the bootstrap token has not the right form');
  const expiration = token.expires ?? formatTime(new Date(now.getTime() + token.ttlMilliseconds));
  const values = {
    'token-id': parts.id,
    'token-secret': parts.secret,
    // A time to live of 0 means that the token never expires.
    ...(token.ttlMilliseconds > 0 || token.expires ? { expiration } : {}),
    ...Object.fromEntries(token.usages.map((usage) => [`usage-bootstrap-${usage}`, 'true'])),
    ...(token.groups.length > 0 ? { 'auth-extra-groups': token.groups.join(',') } : {}),
    ...(token.description ? { description: token.description } : {}),
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${parts.id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)])),
  };
};

/** The kubeconfig in cluster-info, which is public: server and CA, but no user. */
export const clusterInfo = (endpoint: string, ca: string): string =>
  stringify({
    apiVersion: 'v1',
    clusters: [{ cluster: { 'certificate-authority-data': base64(ca), server: `https://${endpoint}` }, name: '' }],
    contexts: null,
    'current-context': '',
    kind: 'Config',
    preferences: {},
    users: null,
  });
