import type { Cluster } from '../../kinds/index.ts';
import type { InfrastructureCluster } from '../../kinds/infrastructure.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { ANNOTATION } from '../labels.ts';

type Annotated = Pick<KubeObject, 'metadata'> | null | undefined;

/**
 * Whether another system manages an infrastructure object: the annotation exists, with any value (upstream's
 * util/annotations).
 */
export const isExternallyManaged = (object: Annotated): boolean =>
  ANNOTATION.managedBy in (object?.metadata.annotations ?? {});

/**
 * Whether another system creates and deletes a cluster's infrastructure. The annotation on the Cluster decides if the
 * infrastructure object is gone: its resources may have the provider's tags, but must not be treated as leftovers.
 */
export const isInfrastructureExternal = (cluster: Annotated, infrastructure: Annotated): boolean =>
  isExternallyManaged(infrastructure) ||
  (!infrastructure && ANNOTATION.infrastructureManagedBy in (cluster?.metadata.annotations ?? {}));

/** The Cluster with the annotation; undefined if it already has it, or if Windlass manages its infrastructure. */
export const withManagerNoted = (cluster: Cluster, infrastructure: InfrastructureCluster): Cluster | undefined => {
  const manager = infrastructure.metadata.annotations?.[ANNOTATION.managedBy];
  const { annotations } = cluster.metadata;
  if (manager === undefined || annotations?.[ANNOTATION.infrastructureManagedBy] === manager) return undefined;
  const noted = { ...annotations, [ANNOTATION.infrastructureManagedBy]: manager };
  return { ...cluster, metadata: { ...cluster.metadata, annotations: noted } };
};

/** Whether the other system has provided what machines need: `ready` in the contract, and an endpoint. */
export const isProvided = (cluster: Cluster, { spec, status }: InfrastructureCluster): boolean =>
  status?.ready === true && Boolean(spec.controlPlaneEndpoint?.host || cluster.spec.controlPlaneEndpoint?.host);
