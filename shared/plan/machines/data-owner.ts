import { isDeepStrictEqual } from 'node:util';
import type { BootstrapConfig } from '../../kinds/contract-objects.ts';
import type { Secret } from '../../kinds/index.ts';
import { LABEL } from '../labels.ts';
import { controllerReference } from './desired.ts';
import { isNamedBy } from './ownership.ts';

/**
 * A Secret with the bootstrap data of `config` that has lost its owner, with `config` as its controller again, as in
 * upstream. Undefined if it lacks nothing, has another owner, or may have been created from something else.
 */
export const withLostDataOwner = (secret: Secret, config: BootstrapConfig): Secret | undefined => {
  const { name, namespace, labels, ownerReferences = [], deletionTimestamp } = secret.metadata;
  const isNamed = config.status?.dataSecretName === name && config.metadata.namespace === namespace;
  const cluster = config.metadata.labels?.[LABEL.clusterName];
  const isOfCluster = cluster !== undefined && labels?.[LABEL.clusterName] === cluster;
  const isMade = isNamed && isOfCluster && secret.type === 'cluster.x-k8s.io/secret';
  if (!isMade || deletionTimestamp || !ownerReferences.every((owner) => isNamedBy(owner, config))) return undefined;
  const next = [controllerReference(config)];
  if (isDeepStrictEqual(next, ownerReferences)) return undefined;
  return { ...secret, metadata: { ...secret.metadata, ownerReferences: next } };
};
