import { forbiddenField, invalidValue } from '../../kube-api/field-error.ts';
import { quote } from '../../kube-api/quote.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { Cluster, Topology } from '../cluster/schema.ts';
import { skipsMinor } from '../rules/bootstrap/version.ts';
import { hasReplicaBounds } from '../rules/replicas.ts';
import type { ClusterClass, ClusterClassSpec } from './schema.ts';

const FIELD = 'spec.topology';

interface Check {
  enabled?: boolean | undefined;
  checks?: unknown;
  remediation?: unknown;
}

const isDefined = (check: Check | undefined): boolean =>
  check?.checks !== undefined || check?.remediation !== undefined;

/** A check can only be enabled if it exists. Upstream's path has `enable`. */
const validateEnabled = (check: Check | undefined, ofClass: Check | undefined, field: string): FieldError[] => {
  if (check?.enabled !== true || isDefined(check) || isDefined(ofClass)) return [];
  const why =
    'cannot be set to true as healthCheck definition is not available in the Cluster topology or the ClusterClass';
  return [forbiddenField(`${field}.enable`, why)];
};

/** The classes of MachineDeployments by their names, which the rules of a ClusterClass keep unique. */
const classesOf = ({ workers }: ClusterClassSpec) =>
  new Map((workers?.machineDeployments ?? []).map((worker) => [worker.class, worker]));

const validateChecks = ({ controlPlane, workers }: Topology, spec: ClusterClassSpec): FieldError[] => {
  const field = `${FIELD}.controlPlane.healthCheck`;
  const classes = classesOf(spec);
  const lacksMachines = isDefined(controlPlane?.healthCheck) && !spec.controlPlane.machineInfrastructure;
  return [
    ...(lacksMachines
      ? [forbiddenField(field, 'can be only set if spec.controlPlane.machineInfrastructure is set in ClusterClass')]
      : []),
    ...validateEnabled(controlPlane?.healthCheck, spec.controlPlane.healthCheck, field),
    ...(workers?.machineDeployments ?? []).flatMap((group) => {
      const ofClass = classes.get(group.class);
      const at = `${FIELD}.workers.machineDeployments[${group.name}].healthCheck`;
      return ofClass ? validateEnabled(group.healthCheck, ofClass.healthCheck, at) : [];
    }),
  ];
};

interface Group {
  class: string;
  name: string;
}

/** Groups of workers must have an existing class and a unique name. */
const validateGroups = (
  of: 'machineDeployments' | 'machinePools',
  groups: readonly Group[] = [],
  { spec, metadata }: ClusterClass,
): FieldError[] => {
  const kind = of === 'machinePools' ? 'MachinePool' : 'MachineDeployment';
  const known = new Set((spec.workers?.[of] ?? []).map((it) => it.class));
  const seen = new Set<string>();
  return groups.flatMap((group, index) => {
    const field = `${FIELD}.workers.${of}[${index}]`;
    const absent = `${kind}Class with name ${quote(group.class)} does not exist in ClusterClass ${quote(metadata.name)}`;
    const twice = `name must be unique. ${kind} with name ${quote(group.name)} is defined more than once`;
    const isRepeated = seen.has(group.name);
    seen.add(group.name);
    return [
      ...(known.has(group.class) ? [] : [invalidValue(`${field}.class`, group.class, absent)]),
      ...(isRepeated ? [invalidValue(`${field}.name`, group.name, twice)] : []),
    ];
  });
};

/** The replicas must not be determined both by an autoscaler, through annotations of the class, and by the topology. */
export const validateScaledByClass = (
  { name, namespace = '' }: Cluster['metadata'],
  { workers }: Topology,
  spec: ClusterClassSpec,
): FieldError[] => {
  const classes = classesOf(spec);
  return (workers?.machineDeployments ?? []).flatMap((group) => {
    const ofClass = classes.get(group.class);
    if (group.replicas === undefined || !hasReplicaBounds(ofClass?.metadata?.annotations)) return [];
    const why = `cannot be set for cluster ${quote(name)} in namespace ${quote(namespace)} if the source class ${quote(group.class)} of this MachineDeploymentTopology has autoscaler annotations`;
    return [invalidValue(`${FIELD}.workers.machineDeployments[${group.name}].replicas`, group.replicas, why)];
  });
};

const validateVersion = ({ version }: Topology, { kubernetesVersions = [] }: ClusterClassSpec): FieldError[] =>
  kubernetesVersions.length === 0 || kubernetesVersions.includes(version)
    ? []
    : [invalidValue(`${FIELD}.version`, version, 'version must match one of the versions defined in the ClusterClass')];

/** Validates a Cluster against its class (ValidateClusterForClusterClass in core/webhooks/admission/cluster.go). */
export const validateClusterForClass = (
  { metadata }: Pick<Cluster, 'metadata'>,
  topology: Topology,
  clusterClass: ClusterClass,
): FieldError[] => {
  const { spec } = clusterClass;
  return [
    ...validateVersion(topology, spec),
    ...validateGroups('machineDeployments', topology.workers?.machineDeployments, clusterClass),
    ...validateGroups('machinePools', topology.workers?.machinePools, clusterClass),
    ...validateChecks(topology, spec),
    ...validateScaledByClass(metadata, topology, spec),
  ];
};

/** Why the version of a cluster cannot change now. */
export interface VersionHindrances {
  /** Whether an extension has not completed `AfterClusterUpgrade` of the previous upgrade. */
  isHookPending: boolean;
  /** Changes in progress. */
  messages: readonly string[];
}

const bare = (version: string): string => version.replace(/^v/, '');

const isLower = (next: string, old: string): boolean => {
  const [a, b] = [next, old].map((it) => bare(it).split(/[-+.]/).slice(0, 3).map(Number)) as [number[], number[]];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
};

/**
 * Validates a change of the version (validateTopologyVersionUpdate), as far as it depends on the class and the cluster.
 * A downgrade is refused elsewhere.
 */
export const validateVersionChange = (
  next: string,
  old: string,
  { kubernetesVersions = [], upgrade }: ClusterClassSpec,
  { isHookPending, messages }: VersionHindrances,
): FieldError[] => {
  if (bare(next) === bare(old) || isLower(next, old)) return [];
  const field = `${FIELD}.version`;
  const hasPlan = kubernetesVersions.length > 0 || Boolean(upgrade?.external?.generateUpgradePlanExtension);
  if (!hasPlan && skipsMinor(old, next)) {
    return [invalidValue(field, next, `version cannot be increased from "${bare(old)}" to "${bare(next)}"`)];
  }
  if (isHookPending) {
    const why = 'version cannot be changed when the "AfterClusterUpgrade" hook is still blocking';
    return [invalidValue(field, next, why)];
  }
  if (messages.length === 0) return [];
  const why = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  return [invalidValue(field, next, `version cannot be changed: ${why}`)];
};
