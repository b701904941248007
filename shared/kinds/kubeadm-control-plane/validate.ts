import { forbiddenField, invalidValue, required } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateControlPlaneRollout } from '../rules/bootstrap/control-plane-rollout.ts';
import { SKIP_CORE_DNS, versionOfTag, whyNotMigrated } from '../rules/bootstrap/core-dns.ts';
import { validateClusterConfiguration, validateKubeadmConfig, validateTimeouts } from '../rules/bootstrap/kubeadm.ts';
import { leadsFrom, pathOf, validatePath } from '../rules/bootstrap/upgrade-path.ts';
import { lowersMinor, skipsMinor, validateVersion } from '../rules/bootstrap/version.ts';
import { changedPaths, isWithin } from '../rules/changed-paths.ts';
import { validateTaints } from '../rules/machines.ts';
import { validateNaming, validateTemplateMeta } from '../rules/names.ts';
import { validateNoticePolicy } from '../rules/notice-policy.ts';
import type { KubeadmControlPlane, KubeadmControlPlaneSpec } from './schema.ts';

const CONFIG = 'spec.kubeadmConfigSpec';
const CLUSTER_CONFIG = `${CONFIG}.clusterConfiguration`;

const beneath = (parent: string, ...names: string[]): string[] => names.map((name) => `${parent}.${name}`);

/** Fields that may change in an existing control plane; everything else in the spec is immutable (KCP's webhook). */
const MUTABLE = [
  ...beneath('spec', 'replicas', 'version', 'remediation', 'machineNaming', 'rollout'),
  ...beneath('spec.machineTemplate', 'metadata', 'spec'),
  ...beneath(CONFIG, 'bootCommands', 'preKubeadmCommands', 'postKubeadmCommands', 'files', 'verbosity', 'users'),
  ...beneath(CONFIG, 'ntp', 'ignition', 'diskSetup', 'format', 'mounts'),
  ...beneath(CLUSTER_CONFIG, 'etcd', 'dns', 'imageRepository', 'featureGates', 'apiServer', 'controllerManager'),
  ...beneath(CLUSTER_CONFIG, 'scheduler', 'certificateValidityPeriodDays', 'encryptionAlgorithm'),
  ...beneath(`${CONFIG}.initConfiguration`, 'nodeRegistration', 'patches', 'skipPhases', 'bootstrapTokens'),
  ...beneath(`${CONFIG}.initConfiguration`, 'localAPIEndpoint', 'timeouts'),
  ...beneath(`${CONFIG}.joinConfiguration`, 'nodeRegistration', 'patches', 'skipPhases', 'caCertPath'),
  ...beneath(`${CONFIG}.joinConfiguration`, 'controlPlane', 'discovery', 'timeouts'),
];

const validateReplicas = ({ replicas, kubeadmConfigSpec }: KubeadmControlPlaneSpec): FieldError[] => {
  if (replicas === undefined) return [required('spec.replicas', 'is required')];
  const isStacked = !kubeadmConfigSpec?.clusterConfiguration?.etcd?.external;
  return [
    ...(replicas <= 0 ? [forbiddenField('spec.replicas', 'cannot be less than or equal to 0')] : []),
    ...(isStacked && replicas % 2 === 0
      ? [forbiddenField('spec.replicas', 'cannot be an even number when etcd is stacked')]
      : []),
  ];
};

/** Upgrades over several minor versions require an upgrade path. */
const isTooFar = (next: KubeadmControlPlane, from: string): boolean =>
  skipsMinor(from, next.spec.version) && !leadsFrom(pathOf(next), from, next.spec.version);

/**
 * Kubernetes does not support a return to an earlier minor version. An upgrade in progress can be reverted, as long as
 * a machine still runs the previous version: `status.version` is the lowest.
 */
const isDowngrade = (to: string, status: KubeadmControlPlane['status']): boolean =>
  status?.initialization?.controlPlaneInitialized === true && lowersMinor(status.version ?? to, to);

const validateUpdate = (object: KubeadmControlPlane, { spec: old, status }: KubeadmControlPlane): FieldError[] => {
  const next = object.spec;
  const fixed = changedPaths(old, next, 'spec').filter((path) => !isWithin(MUTABLE, path));
  const skip = `cannot update Kubernetes version from ${old.version} to ${next.version}`;
  return [
    ...fixed.map((path) => forbiddenField(path, 'cannot be modified')),
    ...(isTooFar(object, old.version) || isDowngrade(next.version, status)
      ? [forbiddenField('spec.version', skip)]
      : []),
  ];
};

/** The desired version must work with the existing Corefile; users who skip CoreDNS manage it themselves. */
const validateCoreDns = (next: KubeadmControlPlane, old: KubeadmControlPlane): FieldError[] => {
  const field = `${CLUSTER_CONFIG}.dns.imageTag`;
  const tagOf = ({ spec }: KubeadmControlPlane) => spec.kubeadmConfigSpec?.clusterConfiguration?.dns?.imageTag;
  const [before, after] = [tagOf(old), tagOf(next)];
  if (!before || !after || before === after || SKIP_CORE_DNS in (next.metadata.annotations ?? {})) return [];
  const [from, to] = [versionOfTag(before), versionOfTag(after)];
  if (!to) return [invalidValue(field, after, 'failed to parse target CoreDNS version')];
  if (!from) return [invalidValue(field, before, 'failed to parse current CoreDNS version')];
  const problem = whyNotMigrated(from, to);
  return problem ? [forbiddenField(field, `cannot migrate CoreDNS up to '${to}' from '${from}': ${problem}`)] : [];
};

/** KCP's rules (controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go), including those for `/scale`. */
export const validateKubeadmControlPlane = (
  next: KubeadmControlPlane,
  old: KubeadmControlPlane | undefined,
): FieldError[] => [
  ...validateNoticePolicy(next.metadata.annotations),
  ...validateSpec(next, old),
  ...validatePath(next),
  ...(old ? validateUpdate(next, old) : []),
  ...(old ? validateCoreDns(next, old) : []),
];

const validateSpec = ({ spec }: KubeadmControlPlane, old: KubeadmControlPlane | undefined): FieldError[] => [
  ...validateReplicas(spec),
  ...validateTaints(spec.machineTemplate.spec.taints, 'spec.machineTemplate.spec.taints', 'control-plane'),
  ...validateTemplateMeta(spec.machineTemplate.metadata, 'spec.machineTemplate.metadata'),
  ...validateVersion(spec.version, 'spec.version'),
  ...validateControlPlaneRollout({ ...spec, replicas: spec.replicas ?? 1 }, 'spec'),
  ...validateNaming(spec.machineNaming?.template, 'kubeadmControlPlane', 'spec.machineNaming.template'),
  ...validateClusterConfiguration(
    spec.kubeadmConfigSpec?.clusterConfiguration,
    old && (old.spec.kubeadmConfigSpec?.clusterConfiguration ?? {}),
    CLUSTER_CONFIG,
  ),
  ...validateKubeadmConfig(spec.kubeadmConfigSpec, CONFIG),
  ...validateTimeouts(spec.kubeadmConfigSpec, CONFIG),
];
