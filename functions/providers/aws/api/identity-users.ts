import type {
  AWSCluster,
  AWSClusterRoleIdentity,
  AWSClusterStaticIdentity,
  Cluster,
} from '../../../../shared/kinds/index.ts';
import { kinds } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { SECRET_NAMESPACE } from '../../../../shared/providers/aws/plan/identity/annotations.ts';
import { awsName } from '../../../../shared/providers/aws/references.ts';
import type { Item } from '../../../api/affected/clusters.ts';

/** Reads all objects of a kind, in all namespaces. */
export type ReadEverywhere = <T extends KubeObject>(resource: ResourceDefinition<T>) => Promise<T[]>;

interface Named {
  kind: string;
  name: string;
}

const IDENTITIES: readonly string[] = [
  kinds.awsClusterControllerIdentity.kind,
  kinds.awsClusterRoleIdentity.kind,
  kinds.awsClusterStaticIdentity.kind,
];

const isSame = (a: Named | undefined, b: Named): boolean => a?.kind === b.kind && a.name === b.name;

/** The identities that a write concerns: a single one, or those whose access key the Secret contains. */
const writtenIdentities = async ({ resource, object }: Item, read: ReadEverywhere): Promise<Named[]> => {
  const { name, namespace } = object.metadata;
  if (IDENTITIES.includes(resource.kind)) return [{ kind: resource.kind, name }];
  if (resource.kind !== 'Secret' || namespace !== SECRET_NAMESPACE) return [];
  const all = await read<AWSClusterStaticIdentity>(kinds.awsClusterStaticIdentity);
  return all
    .filter(({ spec }) => spec?.secretRef === name)
    .map(({ metadata }) => ({ kind: kinds.awsClusterStaticIdentity.kind, name: metadata.name }));
};

/** The identities, with all roles that are assumed through them. */
const withDependents = (identities: readonly Named[], roles: readonly AWSClusterRoleIdentity[]): Named[] => {
  const reached = [...identities];
  // `reached` grows during the iteration.
  for (const source of reached)
    for (const { metadata, spec } of roles) {
      const role = { kind: kinds.awsClusterRoleIdentity.kind, name: metadata.name };
      if (isSame(spec?.sourceIdentityRef, source) && !reached.some((one) => isSame(one, role))) reached.push(role);
    }
  return reached;
};

/**
 * The clusters in all namespaces whose AWSClusters use an identity that a write concerns: the write may have unblocked
 * or blocked them. Writes of other objects cost no reads.
 */
export const identityUsers = async (item: Item, read: ReadEverywhere): Promise<Cluster[]> => {
  const written = await writtenIdentities(item, read);
  if (written.length === 0) return [];
  const [roles, awsClusters, clusters] = await Promise.all([
    read<AWSClusterRoleIdentity>(kinds.awsClusterRoleIdentity),
    read<AWSCluster>(kinds.awsCluster),
    read<Cluster>(kinds.cluster),
  ]);
  const identities = withDependents(written, roles);
  const keyOf = (namespace: string | undefined, name: string | undefined): string => `${namespace}/${name}`;
  const using = new Set(
    awsClusters
      .filter(({ spec }) => identities.some((identity) => isSame(spec.identityRef, identity)))
      .map(({ metadata }) => keyOf(metadata.namespace, metadata.name)),
  );
  return clusters.filter(({ metadata, spec }) =>
    using.has(keyOf(metadata.namespace, awsName('cluster', spec.infrastructureRef))),
  );
};
