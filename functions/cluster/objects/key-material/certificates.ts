import { toTokenSecret } from '../../../../shared/bootstrap/certificates/secrets.ts';
import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import type { ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import { kinds, type Secret } from '../../../../shared/kinds/index.ts';
import { StatusError } from '../../../../shared/kube-api/status-error.ts';
import { LABEL } from '../../../../shared/plan/labels.ts';
import { controllerReference } from '../../../../shared/plan/machines/desired.ts';
import { type ConditionClaim, withConditions } from '../../../../shared/plan/status/conditions.ts';
import type { ConvergeInput, ReadyResult } from '../../../../shared/work/payloads.ts';
import { readControlPlane } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { adoptSecret } from './adopt-secret.ts';
import { ensurePair } from './key-pair.ts';
import { ensureReporter } from './reporter.ts';
import { ensureStandalonePairs } from './standalone.ts';

/**
 * Creates the cluster's key material, or uses the user's. Once the control plane is initialized, a missing Secret is an
 * error: a new CA would cut off every machine.
 */
export const certificates =
  (deps: ObjectsDependencies) =>
  async ({ cluster: ref }: ConvergeInput): Promise<ReadyResult> => {
    const cluster = await deps.objects.get(kinds.cluster, ref);
    if (!cluster) return { ready: true };
    const { controlPlane: owner, distribution } = await readControlPlane(deps.objects, cluster);
    if (!owner) return { ready: await ensureStandalonePairs(deps, cluster) };
    if (!distribution || distribution.isOutside) return { ready: true };
    const wanted = distribution.authorities(owner);
    const holder = {
      owners: [controllerReference(owner)],
      isInUse: () => isInUse(deps.objects, owner, ref.name),
      found: (secret: Secret) => adoptSecret(deps, { owner, distribution }, secret),
    };
    const problems = await Promise.all([
      ...wanted.map((authority) => ensurePair(deps, cluster, authority, holder)),
      ensureToken(deps, distribution, owner, ref.name),
      ensureReporter(deps, cluster, owner),
    ]);
    const found = problems.filter((problem) => problem !== undefined);
    await reportCertificates(deps, distribution, owner, found);
    return { ready: found.length === 0 };
  };

/**
 * Whether machines already have the key material: because the control plane is initialized, or, if its objects were
 * moved here and not probed yet, because one of its machines has an instance. All key material is created before the
 * first launch.
 */
const isInUse = async (
  objects: ObjectsDependencies['objects'],
  { metadata, status }: ControlPlane,
  clusterName: string,
): Promise<boolean> => {
  if (status?.initialization?.controlPlaneInitialized) return true;
  const machines = await objects.listOfCluster(kinds.machine, metadata.namespace ?? '', clusterName);
  return machines.some(({ metadata: { labels = {} }, spec }) => LABEL.controlPlane in labels && spec.providerID);
};

/**
 * Creates the token with which machines join, if the distribution has one. Returns undefined, or a description of the
 * problem.
 */
const ensureToken = async (
  { objects, random }: ObjectsDependencies,
  { joinToken }: Distribution,
  owner: ControlPlane,
  clusterName: string,
): Promise<string | undefined> => {
  if (!joinToken) return undefined;
  const namespace = owner.metadata.namespace ?? '';
  const name = joinToken.secretName(clusterName);
  const current = await objects.get(kinds.secret, { namespace, name });
  if (current) {
    if (!current.data?.value) return `Secret ${name} has no key "value"; restore it`;
    return completeToken(objects, joinToken.completed, current);
  }
  if (await isInUse(objects, owner, clusterName)) {
    return `Secret ${name} does not exist; it is not recreated because machines joined with the lost one: restore it`;
  }
  const secret = toTokenSecret(clusterName, namespace, name, joinToken.make(random)) as Secret;
  secret.metadata.ownerReferences = [controllerReference(owner)];
  await objects.ensure(kinds.secret, joinToken.completed(secret) ?? secret);
  return undefined;
};

/** An editor can make a Secret so large that the API refuses to add anything to it. */
const completeToken = async (
  objects: ObjectsDependencies['objects'],
  completed: NonNullable<Distribution['joinToken']>['completed'],
  current: Secret,
): Promise<string | undefined> => {
  try {
    await objects.mutate(kinds.secret, current, completed, { from: current });
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError) || error.code >= 500) throw error;
    return `Secret ${current.metadata.name} cannot be completed: ${error.message}`;
  }
};

const reportCertificates = async (
  { objects, clock }: ObjectsDependencies,
  { controlPlane }: Distribution,
  owner: ControlPlane,
  problems: readonly string[],
): Promise<void> => {
  const type = 'CertificatesAvailable';
  const claim: ConditionClaim =
    problems.length === 0
      ? { type, status: 'True', reason: 'Available' }
      : { type, status: 'False', reason: 'NotAvailable', message: problems.map((line) => `* ${line}`).join('\n') };
  const key = { namespace: owner.metadata.namespace ?? '', name: owner.metadata.name };
  const change = (current: ControlPlane): ControlPlane => ({
    ...current,
    status: {
      ...current.status,
      conditions: withConditions(current.status?.conditions, [claim], current.metadata.generation, clock.now()),
    } as ControlPlane['status'],
  });
  await objects.mutate(controlPlane, key, change, { from: owner });
};
