import { generatePair } from '../../../../shared/bootstrap/certificates/authority.ts';
import { fromSecret, secretName, toSecret } from '../../../../shared/bootstrap/certificates/secrets.ts';
import { BootstrapInvalidError } from '../../../../shared/bootstrap/invalid.ts';
import type { Authority } from '../../../../shared/distributions/distribution.ts';
import { type Cluster, kinds, type Secret } from '../../../../shared/kinds/index.ts';
import type { OwnerReference } from '../../../../shared/kube-api/object.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

/** The conditions under which a cluster's key material is read or generated. */
export interface KeyHolder {
  /** The owners of generated Secrets. */
  owners: OwnerReference[];
  /** Whether machines already trust key material: if so, missing parts are not generated. */
  isInUse(): Promise<boolean>;
  /** Called for an existing Secret. */
  found?(secret: Secret): Promise<unknown>;
}

/** Undefined if the pair exists and is valid, or was generated; otherwise a description of the problem. */
export const ensurePair = async (
  { objects, clock, keys, random }: ObjectsDependencies,
  { metadata: { name: clusterName, namespace = '' } }: Cluster,
  { purpose, external, algorithm, days }: Authority,
  holder: KeyHolder,
): Promise<string | undefined> => {
  const name = secretName(clusterName, purpose);
  const current = await objects.get(kinds.secret, { namespace, name });
  if (current) {
    await holder.found?.(current);
    return validate(current, { purpose, external, now: clock.now() });
  }
  if (external) return `Secret ${name} does not exist; create it with the CA of the external etcd`;
  if (await holder.isInUse()) {
    return `Secret ${name} does not exist; it is not recreated because machines trust the lost one: restore it`;
  }
  const pair = await generatePair(purpose, { algorithm, days, clock, keys, random });
  const secret = toSecret(clusterName, namespace, purpose, pair) as Secret;
  secret.metadata.ownerReferences = holder.owners;
  await objects.ensure(kinds.secret, secret);
  return undefined;
};

const validate = (secret: Secret, expectation: Parameters<typeof fromSecret>[1]): string | undefined => {
  try {
    fromSecret(secret, expectation);
    return undefined;
  } catch (error) {
    if (error instanceof BootstrapInvalidError) return error.message;
    throw error;
  }
};
