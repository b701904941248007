import type { ConfigMap, Secret } from '../../../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import { signDetached } from '../../kubeadm/bootstrap-token.ts';
import { isExpired, secretText, TOKEN_SECRET_TYPE } from '../authenticate.ts';
import { configMap, secret } from '../kinds.ts';

const SIGNATURE_PREFIX = 'jws-kubeconfig-';
const CLUSTER_INFO = { namespace: 'kube-public', name: 'cluster-info' };

const mayBeSignedWith = (token: Secret, now: Date): boolean =>
  token.type === TOKEN_SECRET_TYPE && secretText(token, 'usage-bootstrap-signing') === 'true' && !isExpired(token, now);

/** The desired `data` of cluster-info: its kubeconfig, and one signature for each token that may sign. Pure. */
export const signedData = (
  data: Record<string, string>,
  tokens: readonly Secret[],
  now: Date,
): Record<string, string> => {
  const kept = Object.entries(data).filter(([key]) => !key.startsWith(SIGNATURE_PREFIX));
  const kubeconfig = data.kubeconfig;
  if (kubeconfig === undefined) return Object.fromEntries(kept);
  const signatures = tokens
    .filter((token) => mayBeSignedWith(token, now))
    .map((token) => ({ id: secretText(token, 'token-id'), secret: secretText(token, 'token-secret') }))
    .map((token) => [SIGNATURE_PREFIX + token.id, signDetached(kubeconfig, token)] as const);
  return Object.fromEntries([...kept, ...signatures.sort(([a], [b]) => a.localeCompare(b))]);
};

const isSame = (a: Record<string, string>, b: Record<string, string>): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => a[key] === b[key]);

/**
 * The bootstrapsigner and tokencleaner of kube-controller-manager: updates the signatures in cluster-info to match the
 * bootstrap tokens, and deletes expired tokens.
 */
export const reconcileBootstrapTokens = async (objects: ObjectClient, now: Date): Promise<void> => {
  const secrets: Secret[] = await objects.list(secret, 'kube-system');
  const tokens = secrets.filter(({ type }) => type === TOKEN_SECRET_TYPE);
  await objects.mutate<ConfigMap>(configMap, CLUSTER_INFO, (current) => {
    const data = signedData(current.data ?? {}, tokens, now);
    return isSame(data, current.data ?? {}) ? undefined : { ...current, data };
  });
  for (const { metadata } of tokens.filter((token) => isExpired(token, now))) {
    await objects.delete(secret, { namespace: 'kube-system', name: metadata.name });
  }
};
