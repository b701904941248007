import { withVersionPrefix } from '../rules/bootstrap/version.ts';
import { CLUSTER_NAME_LABEL } from '../schema/definition-parts.ts';
import type { Machine } from './schema.ts';

/** How many seconds a deletion waits for the end of the Node object. */
export const NODE_DELETION_TIMEOUT_SECONDS = 10;

/** The cluster's label, the `v` of the version, and ten seconds for the deletion of the node. */
export const defaultMachine = (machine: Machine): Machine => {
  const { metadata, spec } = machine;
  return {
    ...machine,
    metadata: { ...metadata, labels: { ...metadata.labels, [CLUSTER_NAME_LABEL]: spec.clusterName } },
    spec: {
      ...spec,
      ...(spec.version === undefined ? {} : { version: withVersionPrefix(spec.version) }),
      deletion: { nodeDeletionTimeoutSeconds: NODE_DELETION_TIMEOUT_SECONDS, ...spec.deletion },
    },
  };
};
