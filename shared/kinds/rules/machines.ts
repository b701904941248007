import { forbiddenField, invalidValue, required } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { MachineSpec, MachineTaint } from '../schema/machine-parts.ts';
import { validateVersion } from './bootstrap/version.ts';

const NOT_ALLOWED = ['node.cluster.x-k8s.io/uninitialized', 'node.cluster.x-k8s.io/outdated-revision'];
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/** The error in a taint's key if it is reserved for others (Cluster API's internal/util/taints). */
const reservedKey = (key: string): string | undefined => {
  if (NOT_ALLOWED.includes(key)) return 'taint key is not allowed';
  if (key.startsWith('node.kubernetes.io/') && key !== OUT_OF_SERVICE) {
    return `taint key must not have the prefix node.kubernetes.io/, except for ${OUT_OF_SERVICE}`;
  }
  if (key.startsWith('node.cloudprovider.kubernetes.io/')) {
    return 'taint key must not have the prefix node.cloudprovider.kubernetes.io/';
  }
  if (key === 'node-role.kubernetes.io/master') return 'taint is deprecated since 1.24 and should not be used anymore';
  return undefined;
};

const CONTROL_PLANE_TAINT = 'node-role.kubernetes.io/control-plane';

/** Rules for the taints that Cluster API keeps on nodes. The control plane's own taint is refused on workers. */
export const validateTaints = (
  taints: readonly MachineTaint[] = [],
  field: string,
  role: 'control-plane' | 'worker',
): FieldError[] =>
  taints.flatMap(({ key }, index) => {
    const isStray = role === 'worker' && key === CONTROL_PLANE_TAINT;
    const detail = isStray ? 'taint is not allowed for worker Machines' : reservedKey(key);
    return detail ? [invalidValue(`${field}[${index}].key`, key, detail)] : [];
  });

/** Whether something provides the bootstrap data. */
export const validateBootstrap = ({ bootstrap }: MachineSpec, field: string): FieldError[] => {
  const { configRef, dataSecretName } = bootstrap;
  if (configRef || dataSecretName !== undefined) return [];
  const source = `expected either ${field}.bootstrap.dataSecretName or ${field}.bootstrap.configRef to be populated`;
  return [required(`${field}.bootstrap`, source)];
};

/** Rules for a machine in a template (`field` is `spec.template.spec`) or an actual one (`spec`). */
export const validateMachineSpec = (
  spec: MachineSpec,
  field: string,
  role: 'control-plane' | 'worker',
): FieldError[] => [
  ...(spec.version === undefined ? [] : validateVersion(spec.version, `${field}.version`)),
  ...validateTaints(spec.taints, `${field}.taints`, role),
];

export const validateClusterName = (next: string, old: string | undefined): FieldError[] =>
  old === undefined || old === next ? [] : [forbiddenField('spec.clusterName', 'field is immutable')];

/** An owner of machines and its template must belong to the same cluster. */
export const validateSameCluster = (clusterName: string, ofTemplate: string): FieldError[] =>
  clusterName === ofTemplate
    ? []
    : [
        invalidValue(
          'spec.clusterName',
          clusterName,
          'spec.clusterName and spec.template.spec.clusterName must be set to the same value',
        ),
      ];

const SKIP_CHECKS = 'machineset.cluster.x-k8s.io/skip-preflight-checks';
const CHECKS = [
  'All',
  'ControlPlaneIsStable',
  'ControlPlaneVersionSkew',
  'KubeadmVersionSkew',
  'KubernetesVersionSkew',
];

/** The annotation that names preflight checks to skip. */
export const validateSkippedChecks = (annotations: Record<string, string> = {}): FieldError[] => {
  const skipped = annotations[SKIP_CHECKS];
  if (!skipped) return [];
  const named = skipped.split(',').map((check) => check.trim());
  const invalid = named.filter((check) => !CHECKS.includes(check));
  const detail = `skipped preflight check(s) must be among: [${CHECKS.join(' ')}]`;
  return invalid.length > 0 ? [invalidValue(`metadata.annotations.${SKIP_CHECKS}`, invalid, detail)] : [];
};
