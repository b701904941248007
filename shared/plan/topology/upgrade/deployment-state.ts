import type { Machine, MachineDeployment } from '../../../kinds/index.ts';
import type { MachinePool } from '../../../kinds/machine-pool/schema.ts';
import { labelValueOf } from '../../../kinds/rules/names.ts';
import { LABEL } from '../../labels.ts';

/** Whether any machine of the deployment has another version (internal/topology/check/upgrade.go). */
export const isDeploymentUpgrading = ({ spec }: MachineDeployment, machines: readonly Machine[]): boolean => {
  const { version } = spec.template.spec;
  const labels = Object.entries(spec.selector.matchLabels ?? {});
  const own = machines.filter(({ metadata }) => labels.every(([key, value]) => metadata.labels?.[key] === value));
  return own.some(({ spec: { version: is }, status }) => {
    const kubelet = status?.nodeInfo?.kubeletVersion;
    return is !== version || (kubelet !== undefined && kubelet !== '' && kubelet !== version);
  });
};

/**
 * Whether any node of the pool has another version. Upstream queries the cluster's nodes, and Windlass its machines.
 */
export const isPoolUpgrading = ({ metadata, spec }: MachinePool, machines: readonly Machine[]): boolean => {
  const { version } = spec.template.spec;
  if (!version) return false;
  return machines
    .filter((machine) => machine.metadata.labels?.[LABEL.poolName] === labelValueOf(metadata.name))
    .some(({ status }) => status?.nodeInfo !== undefined && status.nodeInfo.kubeletVersion !== version);
};
