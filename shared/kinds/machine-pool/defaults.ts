import { NODE_DELETION_TIMEOUT_SECONDS } from '../machine/defaults.ts';
import { withVersionPrefix } from '../rules/bootstrap/version.ts';
import { defaultReplicas } from '../rules/replicas.ts';
import { CLUSTER_NAME_LABEL } from '../schema/definition-parts.ts';
import type { MachinePool } from './schema.ts';

/**
 * Cluster API's defaults: replicas, the cluster's label, the `v` of the version, and the wait for the deletion of a
 * node.
 */
export const defaultMachinePool = (pool: MachinePool, old: MachinePool | undefined): MachinePool => {
  const { metadata, spec } = pool;
  const machine = spec.template.spec;
  return {
    ...pool,
    metadata: { ...metadata, labels: { ...metadata.labels, [CLUSTER_NAME_LABEL]: spec.clusterName } },
    spec: {
      ...spec,
      replicas: defaultReplicas(pool, old),
      template: {
        ...spec.template,
        spec: {
          ...machine,
          ...(machine.version === undefined ? {} : { version: withVersionPrefix(machine.version) }),
          deletion: { nodeDeletionTimeoutSeconds: NODE_DELETION_TIMEOUT_SECONDS, ...machine.deletion },
        },
      },
    },
  };
};
