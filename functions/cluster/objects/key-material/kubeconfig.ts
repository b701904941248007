import { isIPv6 } from 'node:net';
import type { EncryptionAlgorithm } from '../../../../shared/bootstrap/certificates/algorithms.ts';
import { issueKubeconfig, leadsTo, renewalTime } from '../../../../shared/bootstrap/certificates/kubeconfig.ts';
import { fromSecret, secretName, toKubeconfigSecret } from '../../../../shared/bootstrap/certificates/secrets.ts';
import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import type { ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Secret } from '../../../../shared/kinds/index.ts';
import type { OwnerReference } from '../../../../shared/kube-api/object.ts';
import { controllerReference } from '../../../../shared/plan/machines/desired.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { adoptSecret } from './adopt-secret.ts';

const decode = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString('utf8');

/** The text of a kubeconfig Secret that Windlass created; a user's own is left alone. */
export const ownKubeconfig = (
  secret: Secret | undefined,
  ownerKind: string,
): { text: string; field: string } | undefined =>
  secret?.metadata.ownerReferences?.some(({ kind }) => kind === ownerKind)
    ? { text: decode(secret.data?.value), field: `Secret ${secret.metadata.name} data.value` }
    : undefined;

interface Wanted {
  ownerKind: string;
  server: string;
  ca: string;
  /** Whether machines already trust the authority. If so, a changed Secret is no reason to lose access. */
  initialized: boolean;
}

const isFresh = (current: Secret | undefined, wanted: Wanted, now: Date): boolean => {
  if (!current) return false;
  const ours = ownKubeconfig(current, wanted.ownerKind);
  if (!ours) return true;
  const renewal = renewalTime(ours.text, ours.field);
  if (!wanted.initialized && !leadsTo(ours.text, wanted)) return false;
  return now.getTime() <= renewal.getTime();
};

/** The cluster for which a kubeconfig is issued. */
export interface KubeconfigHolder {
  distribution: Distribution;
  /** The owner of the Secret. */
  owner: OwnerReference;
  initialized: boolean;
  algorithm?: EncryptionAlgorithm | undefined;
  /** Called for an existing Secret; returns it with its owners. */
  found?(secret: Secret): Promise<Secret>;
}

/** The kubeconfig of a cluster with a control plane object. A Secret that has lost its owner is adopted. */
export const ensureKubeconfig = (
  deps: ObjectsDependencies,
  cluster: Cluster,
  { owner, distribution }: { owner: ControlPlane; distribution: Distribution },
): Promise<void> =>
  ensureKubeconfigOf(deps, cluster, {
    distribution,
    owner: controllerReference(owner),
    initialized: owner.status?.initialization?.controlPlaneInitialized === true,
    algorithm: distribution.authorities(owner).find(({ purpose }) => purpose === distribution.kubeconfig.client)
      ?.algorithm,
    found: (secret) => adoptSecret(deps, { owner, distribution }, secret),
  });

/**
 * Manages the Secret `<cluster>-kubeconfig`. It is created when the endpoint is known, and renewed after half of its
 * certificate's validity; as long as no machine runs, it is also renewed if the endpoint or the authority changes. A
 * user's own Secret with that name is left alone.
 */
export const ensureKubeconfigOf = async (
  deps: ObjectsDependencies,
  cluster: Cluster,
  { distribution, owner, initialized, algorithm, found }: KubeconfigHolder,
): Promise<void> => {
  const { objects, clock } = deps;
  const { name = '', namespace = '' } = cluster.metadata;
  const key = { namespace, name: secretName(name, 'kubeconfig') };
  const { server: trusts, client: signs } = distribution.kubeconfig;
  const [stored, fresh, trusted, authority] = await Promise.all([
    objects.get(kinds.secret, key),
    objects.get(kinds.cluster, { namespace, name }),
    objects.get(kinds.secret, { namespace, name: secretName(name, trusts) }),
    objects.get(kinds.secret, { namespace, name: secretName(name, signs) }),
  ]);
  const current = stored && found ? await found(stored) : stored;
  const endpoint = fresh?.spec.controlPlaneEndpoint;
  if (!endpoint?.host || !trusted || !authority || (current && !ownKubeconfig(current, owner.kind))) return;
  const server = `https://${isIPv6(endpoint.host) ? `[${endpoint.host}]` : endpoint.host}:${endpoint.port}`;
  const now = clock.now();
  const ca = fromSecret(trusted, { purpose: trusts, now }).certificatePem;
  const signer = fromSecret(authority, { purpose: signs, now });
  if (isFresh(current, { ownerKind: owner.kind, server, ca, initialized }, now)) return;
  const kubeconfig = await issueKubeconfig(
    { clusterName: name, server, ca: signer, trusted: ca, ...(algorithm ? { algorithm } : {}) },
    deps,
  );
  const secret = toKubeconfigSecret(name, namespace, kubeconfig) as Secret;
  secret.metadata.ownerReferences = [owner];
  const { created } = await objects.ensure(kinds.secret, secret);
  if (!created) await objects.mutate(kinds.secret, key, (before) => ({ ...before, data: secret.data }));
};
