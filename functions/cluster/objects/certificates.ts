import { generatePair } from '../../../shared/bootstrap/certificates/authority.ts';
import { fromSecret, secretName, toSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import { BootstrapInvalidError } from '../../../shared/bootstrap/invalid.ts';
import { type KubeadmControlPlane, kinds, type Secret } from '../../../shared/kinds/index.ts';
import { controllerReference } from '../../../shared/plan/machines/desired.ts';
import { type ConditionClaim, withConditions } from '../../../shared/plan/status/conditions.ts';
import type { ConvergeInput, ReadyResult } from '../../../shared/work/payloads.ts';
import type { ObjectsDependencies } from './dependencies.ts';

const PURPOSES = ['ca', 'etcd', 'proxy', 'sa'] as const;
type Purpose = (typeof PURPOSES)[number];

/**
 * Makes the cluster's key material, or takes what the user has put there. Once the control plane is initialized a
 * missing secret is an error: a new CA would cut off every machine.
 */
export const certificates =
  (deps: ObjectsDependencies) =>
  async ({ cluster: ref }: ConvergeInput): Promise<ReadyResult> => {
    const cluster = await deps.objects.get(kinds.cluster, ref);
    const name = cluster?.spec.controlPlaneRef?.name;
    if (!name) return { ready: true };
    const owner = await deps.objects.get(kinds.kubeadmControlPlane, { namespace: ref.namespace, name });
    if (!owner) return { ready: true };
    const problems = await Promise.all(PURPOSES.map((purpose) => ensurePair(deps, owner, ref.name, purpose)));
    const found = problems.filter((problem) => problem !== undefined);
    await reportCertificates(deps, owner, found);
    return { ready: found.length === 0 };
  };

const isExternalEtcd = ({ spec }: KubeadmControlPlane): boolean =>
  spec.kubeadmConfigSpec?.clusterConfiguration?.etcd?.external !== undefined;

/** Undefined when the pair is there and sound, else what is wrong. */
const ensurePair = async (
  { objects, clock, keys, random }: ObjectsDependencies,
  owner: KubeadmControlPlane,
  clusterName: string,
  purpose: Purpose,
): Promise<string | undefined> => {
  const namespace = owner.metadata.namespace ?? '';
  const name = secretName(clusterName, purpose);
  const external = purpose === 'etcd' && isExternalEtcd(owner);
  const current = await objects.get(kinds.secret, { namespace, name });
  if (current) return validate(current, purpose, external, clock.now());
  if (external) return `Secret ${name} does not exist; external etcd needs its CA there`;
  if (owner.status?.initialization?.controlPlaneInitialized) {
    return `Secret ${name} does not exist; it is not made anew because machines trust the lost one: restore it`;
  }
  const configuration = owner.spec.kubeadmConfigSpec?.clusterConfiguration;
  const pair = await generatePair(purpose, {
    algorithm: configuration?.encryptionAlgorithm as Parameters<typeof generatePair>[1]['algorithm'],
    days: configuration?.caCertificateValidityPeriodDays,
    clock,
    keys,
    random,
  });
  const secret = toSecret(clusterName, namespace, purpose, pair) as Secret;
  secret.metadata.ownerReferences = [controllerReference(owner)];
  await objects.ensure(kinds.secret, secret);
  return undefined;
};

const validate = (secret: Secret, purpose: Purpose, external: boolean, now: Date): string | undefined => {
  try {
    fromSecret(secret, { purpose, now, external });
    return undefined;
  } catch (error) {
    if (error instanceof BootstrapInvalidError) return error.message;
    throw error;
  }
};

const reportCertificates = async (
  { objects, clock }: ObjectsDependencies,
  owner: KubeadmControlPlane,
  problems: readonly string[],
): Promise<void> => {
  const type = 'CertificatesAvailable';
  const claim: ConditionClaim =
    problems.length === 0
      ? { type, status: 'True', reason: 'Available' }
      : { type, status: 'False', reason: 'NotAvailable', message: problems.map((line) => `* ${line}`).join('\n') };
  const key = { namespace: owner.metadata.namespace ?? '', name: owner.metadata.name };
  await objects.mutate(kinds.kubeadmControlPlane, key, (current) => ({
    ...current,
    status: {
      ...current.status,
      conditions: withConditions(current.status?.conditions, [claim], current.metadata.generation, clock.now()),
    } as KubeadmControlPlane['status'],
  }));
};
