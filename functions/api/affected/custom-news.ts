import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { WriteEvent } from '../../../shared/kube-api/registry/registry.ts';

/** Fields of the status with a meaning in Cluster API's contracts, whatever the role of the object in a cluster. */
const STATUS = [
  ...['ready', 'initialization', 'initialized', 'failureDomains', 'failureDomain', 'addresses', 'dataSecretName'],
  ...['failureReason', 'failureMessage', 'externalManagedControlPlane', 'version', 'selector', 'replicas'],
  ...['readyReplicas', 'availableReplicas', 'upToDateReplicas', 'updatedReplicas', 'unavailableReplicas'],
] as const;

type Condition = { type?: unknown; status?: unknown; reason?: unknown; message?: unknown };
type Status = Readonly<Record<string, unknown>> & { conditions?: unknown; v1beta2?: { conditions?: unknown } };

/** Only these conditions are read; the times of their transitions do not matter. */
const MIRRORED: readonly unknown[] = ['Ready', 'Available'];

const conditionsOf = (conditions: unknown): unknown[] =>
  Array.isArray(conditions)
    ? (conditions as Condition[])
        .filter((one) => MIRRORED.includes(one?.type))
        .map(({ type, status, reason, message }) => [type, status, reason, message])
    : [];

/** The parts of an external provider's object that the core reads. */
const contractOf = (object: KubeObject & { spec?: unknown; status?: Status }) => {
  const { metadata, spec, status = {} } = object;
  const { labels, annotations, ownerReferences, deletionTimestamp } = metadata;
  const fields = STATUS.map((name) => status[name]);
  const conditions = [...conditionsOf(status.conditions), ...conditionsOf(status.v1beta2?.conditions)];
  return { labels, annotations, ownerReferences, deletionTimestamp, spec, fields, conditions };
};

/**
 * Whether a write of a custom resource concerns its cluster. Providers write the status often, and most of it is not
 * part of the contract. An object without a cluster label matters only when it is created or deleted, because a cluster
 * may refer to it. A template also matters when it changes, because a class may refer to it.
 */
export const isNewsOfCustom = ({ resource, type, object, old }: WriteEvent): boolean => {
  if (type !== 'updated' || !old) return true;
  const hasCluster = [object, old].some((one) => resource.clusterNameOf?.(one));
  if (!hasCluster && !resource.kind.endsWith('Template')) return false;
  return !isDeepStrictEqual(contractOf(object), contractOf(old));
};
