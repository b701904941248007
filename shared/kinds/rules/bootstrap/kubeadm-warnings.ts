import type { KubeadmConfigSpec } from '../../schema/kubeadm-config-spec.ts';

/** cloud-init's instance data, in the templates that only cloud-init renders. */
const CLOUD_INIT_TEMPLATE = /\{\{-?\s*(ds|v1|v2)\./;

/** The paths of all texts in a value that contain a cloud-init template. */
const templates = (value: unknown, field: string): string[] => {
  if (typeof value === 'string') return CLOUD_INIT_TEMPLATE.test(value) ? [field] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => templates(item, `${field}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => templates(item, `${field}.${key}`));
};

/** Warnings for kubeadm configuration in any object; `prefix` is the path of the spec. */
export const warnKubeadmConfig = (spec: KubeadmConfigSpec | undefined, prefix: string): string[] => {
  if (spec?.format !== 'ignition') return [];
  const { clusterConfiguration, initConfiguration, joinConfiguration } = spec;
  return templates({ clusterConfiguration, initConfiguration, joinConfiguration }, prefix).map(
    (field) =>
      `${field}: Ignition does not render cloud-init's templates; use a command that fills in /etc/kubeadm.yml`,
  );
};
