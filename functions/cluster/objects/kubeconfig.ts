import { issueKubeconfig, needsRenewal } from '../../../shared/bootstrap/certificates/kubeconfig.ts';
import { fromSecret, secretName, toKubeconfigSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import type { Distribution } from '../../../shared/distributions/distribution.ts';
import type { ControlPlane } from '../../../shared/distributions/objects.ts';
import { type Cluster, kinds, type Secret } from '../../../shared/kinds/index.ts';
import { controllerReference } from '../../../shared/plan/machines/desired.ts';
import type { ObjectsDependencies } from './dependencies.ts';

const decode = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString('utf8');

const isFresh = (deps: ObjectsDependencies, current: Secret | undefined, { controlPlane }: Distribution): boolean => {
  if (!current) return false;
  const ours = current.metadata.ownerReferences?.some((owner) => owner.kind === controlPlane.kind) === true;
  const field = `Secret ${current.metadata.name} data.value`;
  return !ours || !needsRenewal(decode(current.data?.value), deps.clock.now(), field);
};

/**
 * Keeps the Secret `<cluster>-kubeconfig`: made as soon as the endpoint is known, made anew at half of its certificate's
 * life. A user's own secret of that name is left alone.
 */
export const ensureKubeconfig = async (
  deps: ObjectsDependencies,
  cluster: Cluster,
  { owner, distribution }: { owner: ControlPlane; distribution: Distribution },
): Promise<void> => {
  const { objects, clock } = deps;
  const { name = '', namespace = '' } = cluster.metadata;
  const key = { namespace, name: secretName(name, 'kubeconfig') };
  const [current, fresh, authority] = await Promise.all([
    objects.get(kinds.secret, key),
    objects.get(kinds.cluster, { namespace, name }),
    objects.get(kinds.secret, { namespace, name: secretName(name, 'ca') }),
  ]);
  const endpoint = fresh?.spec.controlPlaneEndpoint;
  if (isFresh(deps, current, distribution) || !endpoint?.host || !authority) return;
  const ca = fromSecret(authority, { purpose: 'ca', now: clock.now() });
  const server = `https://${endpoint.host}:${endpoint.port}`;
  const kubeconfig = await issueKubeconfig({ clusterName: name, server, ca }, deps);
  const secret = toKubeconfigSecret(name, namespace, kubeconfig) as Secret;
  secret.metadata.ownerReferences = [controllerReference(owner)];
  const { created } = await objects.ensure(kinds.secret, secret);
  if (!created) await objects.mutate(kinds.secret, key, (stored) => ({ ...stored, data: secret.data }));
};
