import {
  type AWSCluster,
  type AWSClusterControllerIdentity,
  type AWSClusterRoleIdentity,
  type AWSClusterStaticIdentity,
  kinds,
  type Secret,
} from '../../../../shared/kinds/index.ts';
import type { AllowedNamespaces } from '../../../../shared/kinds/schema/aws-identity.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { asksForLabels, mayUse } from '../../../../shared/providers/aws/plan/identity/allowed.ts';
import { SECRET_NAMESPACE } from '../../../../shared/providers/aws/plan/identity/annotations.ts';
import { IdentityError } from './identity-error.ts';

/** The first credentials for a cluster's calls: the functions' own roles, or the access key of a user. */
export type Base = { kind: 'controller' } | { kind: 'static'; identity: AWSClusterStaticIdentity; secret: Secret };

/** The identity that a cluster names, with its sources. */
export interface IdentityChain {
  base: Base;
  /** In the order in which they are assumed; the last one is the cluster's. */
  roles: AWSClusterRoleIdentity[];
}

type Reference = NonNullable<AWSCluster['spec']['identityRef']>;

interface Reading {
  objects: ObjectClient;
  namespace: string;
  /** The identity that the cluster itself names. */
  own: Reference;
}

const nameOf = ({ kind, name }: Reference): string => `${kind} ${name}`;

const checkAllowed = async (
  { objects, namespace, own }: Reading,
  reference: Reference,
  allowed: AllowedNamespaces | undefined,
): Promise<void> => {
  const found = asksForLabels(allowed)
    ? await objects.get(kinds.namespace, { namespace: '', name: namespace })
    : undefined;
  if (mayUse(allowed, namespace, found && (found.metadata.labels ?? {}))) return;
  const message = `Namespace ${namespace} is not permitted to use ${nameOf(reference)}: its spec.allowedNamespaces does not contain it`;
  throw new IdentityError(reference.name === own.name ? 'unauthorized' : 'sourceUnauthorized', message);
};

const read = async <T extends AWSClusterRoleIdentity | AWSClusterStaticIdentity>(
  reading: Reading,
  resource: ResourceDefinition<T>,
  reference: Reference,
): Promise<T> => {
  const found = await reading.objects.get(resource, { namespace: '', name: reference.name });
  if (!found) throw new IdentityError('retrieval', `spec.identityRef: there is no ${nameOf(reference)}`);
  await checkAllowed(reading, reference, found.spec?.allowedNamespaces);
  return found;
};

const DEFAULT = 'default';

/** As upstream does, creates the only identity of this kind, open to all namespaces, when a cluster needs it. */
const CONTROLLER = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSClusterControllerIdentity',
  metadata: { name: DEFAULT },
  spec: { allowedNamespaces: {} },
} satisfies AWSClusterControllerIdentity;

const readController = async (reading: Reading, reference: Reference): Promise<Base> => {
  if (reference.name !== DEFAULT) {
    const message = `spec.identityRef: the only AWSClusterControllerIdentity is named ${DEFAULT}, not ${reference.name}`;
    throw new IdentityError('retrieval', message);
  }
  const { objects } = reading;
  const resource = kinds.awsClusterControllerIdentity;
  const found = await objects.get(resource, { namespace: '', name: DEFAULT });
  const { spec } = found ?? (await objects.ensure(resource, CONTROLLER)).object;
  await checkAllowed(reading, reference, spec?.allowedNamespaces);
  return { kind: 'controller' };
};

const readStatic = async (reading: Reading, reference: Reference): Promise<Base> => {
  const identity = await read(reading, kinds.awsClusterStaticIdentity, reference);
  const key = { namespace: SECRET_NAMESPACE, name: identity.spec?.secretRef ?? '' };
  const secret = await reading.objects.get(kinds.secret, key);
  if (!secret) {
    const message = `${nameOf(reference)}: spec.secretRef: there is no Secret ${key.name} in the namespace ${key.namespace}`;
    throw new IdentityError('retrieval', message);
  }
  return { kind: 'static', identity, secret };
};

/**
 * Reads the identity that an AWSCluster names, and its sources. Throws IdentityError if the namespace may not use one
 * of them, if one is missing, or if they form a cycle.
 */
export const readChain = async (
  objects: ObjectClient,
  { metadata, spec }: Pick<AWSCluster, 'metadata' | 'spec'>,
): Promise<IdentityChain> => {
  const roles: AWSClusterRoleIdentity[] = [];
  const reading = spec.identityRef && { objects, namespace: metadata.namespace ?? '', own: spec.identityRef };
  let reference: Reference | undefined = spec.identityRef;
  while (reading && reference?.kind === 'AWSClusterRoleIdentity') {
    const { name } = reference;
    if (roles.some((role) => role.metadata.name === name)) {
      const circle = [...roles.map((role) => role.metadata.name), name].join(' -> ');
      throw new IdentityError(
        'retrieval',
        `AWSClusterRoleIdentity ${name}: spec.sourceIdentityRef forms a cycle: ${circle}`,
      );
    }
    const role: AWSClusterRoleIdentity = await read(reading, kinds.awsClusterRoleIdentity, reference);
    roles.push(role);
    reference = role.spec?.sourceIdentityRef;
  }
  roles.reverse();
  if (!reading || !reference) return { base: { kind: 'controller' }, roles };
  const isStatic = reference.kind === 'AWSClusterStaticIdentity';
  return { base: await (isStatic ? readStatic : readController)(reading, reference), roles };
};
