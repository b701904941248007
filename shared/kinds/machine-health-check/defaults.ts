import { CLUSTER_NAME_LABEL } from '../schema/definition-parts.ts';
import type { MachineHealthCheck } from './schema.ts';

/** How long a machine may take to become a node. */
const NODE_STARTUP_TIMEOUT_SECONDS = 600;

export const defaultMachineHealthCheck = (check: MachineHealthCheck): MachineHealthCheck => {
  const { metadata, spec } = check;
  return {
    ...check,
    metadata: { ...metadata, labels: { ...metadata.labels, [CLUSTER_NAME_LABEL]: spec.clusterName } },
    spec: { ...spec, checks: { nodeStartupTimeoutSeconds: NODE_STARTUP_TIMEOUT_SECONDS, ...spec.checks } },
  };
};
