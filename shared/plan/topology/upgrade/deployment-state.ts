import type { Machine, MachineDeployment } from '../../../kinds/index.ts';

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
