import type { Cluster, MachineSet } from '../../kinds/index.ts';
import { absenceOf } from '../../kinds/reference.ts';
import { type KubernetesVersion, parseTolerantly } from '../../kinds/rules/bootstrap/version.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { ANNOTATION } from '../labels.ts';
import { controlPlaneState } from '../topology/upgrade/control-plane-state.ts';
import { pendingVersion } from '../topology/upgrade/pending.ts';
import { namingFaultOf } from './naming.ts';

/** The parts of a control plane on which workers depend; all kinds of control plane have them. */
export interface ControlPlaneVersions {
  kind: string;
  metadata: { namespace?: string; name: string };
  spec: { version?: string };
  status?: {
    version?: string;
    versions?: readonly { version: string }[];
    initialization?: { controlPlaneInitialized?: boolean };
  };
}

/** The facts on which the checks of a set depend, from the snapshot of a cluster. */
export interface PreflightFacts {
  cluster: Cluster;
  controlPlane: ControlPlaneVersions | null;
  /** The final version of a control plane whose version here is that of a step. */
  upgrade?: { target: string };
}

/** The names of the checks in `machineset.cluster.x-k8s.io/skip-preflight-checks`. */
type Check = 'ControlPlaneIsStable' | 'KubernetesVersionSkew' | 'KubeadmVersionSkew' | 'ControlPlaneVersionSkew';

/** How many minor versions a kubelet may be behind its API server. */
const KUBELET_SKEW = 3;

const failed = (check: Check, problem: string): string => `${problem} ("${check}" preflight check failed)`;

const skipped = (set: MachineSet, bootstrap: KubeObject | undefined): ReadonlySet<string> => {
  const own = set.metadata.annotations?.[ANNOTATION.skipPreflightChecks];
  const text = own || bootstrap?.metadata.annotations?.[ANNOTATION.skipPreflightChecks] || '';
  return new Set(text.split(',').map((name) => name.trim()));
};

const stable = (
  { cluster, upgrade }: Omit<PreflightFacts, 'controlPlane'>,
  controlPlane: ControlPlaneVersions,
): string | undefined => {
  const { kind, metadata, spec } = controlPlane;
  const name = `${kind} ${metadata.namespace}/${metadata.name}`;
  const pending = pendingVersion(cluster, upgrade?.target ?? spec.version);
  if (pending) return `${name} has a pending version upgrade to ${pending}`;
  const { isProvisioning, isUpgrading } = controlPlaneState(controlPlane);
  if (isProvisioning) return `${name} is provisioning`;
  return isUpgrading ? `${name} is upgrading` : undefined;
};

const text = ({ major, minor, patch }: KubernetesVersion): string => `${major}.${minor}.${patch}`;

const kubernetesSkew = (set: KubernetesVersion, controlPlane: KubernetesVersion): string | undefined => {
  const both = `MachineSet version (${text(set)}) and ControlPlane version (${text(controlPlane)}) do not conform to the kubernetes version skew policy`;
  if (set.minor > controlPlane.minor) return `${both} as MachineSet version is higher than ControlPlane version`;
  if (set.minor < controlPlane.minor - KUBELET_SKEW) {
    return `${both} as MachineSet version is more than ${KUBELET_SKEW} minor versions older than the ControlPlane version`;
  }
  return undefined;
};

const kubeadmSkew = (set: KubernetesVersion, controlPlane: KubernetesVersion): string | undefined =>
  set.minor === controlPlane.minor
    ? undefined
    : `MachineSet version (${text(set)}) and ControlPlane version (${text(controlPlane)}) do not conform to kubeadm version skew policy as kubeadm only supports joining with the same major+minor version as the control plane`;

/** A set of a topology creates no machines that would be replaced immediately. */
const topologySkew = ({ spec }: Cluster, set: string | undefined, controlPlane: string): string | undefined =>
  spec.topology && set && set !== controlPlane
    ? `MachineSet version (${set}) is not yet the same as the ControlPlane version (${controlPlane}), waiting for version to be propagated to the MachineSet`
    : undefined;

/**
 * The control plane to which an initialized Cluster refers, if it does not exist: the reference is misspelled, or the
 * control plane was deleted. Its version cannot be checked, so machines might be created that can never join.
 */
const missingControlPlane = (
  set: MachineSet,
  { cluster, controlPlane }: PreflightFacts,
  bootstrap: KubeObject | undefined,
): string[] => {
  const { spec, status, metadata } = cluster;
  const isFormed = status?.initialization?.controlPlaneInitialized === true;
  if (controlPlane || !spec.controlPlaneRef || !isFormed || skipped(set, bootstrap).has('All')) return [];
  return [absenceOf(spec.controlPlaneRef, metadata.namespace)];
};

/**
 * Why a set must not create machines now, one line per check; empty if it may. Names come first, and no annotation
 * skips their check. The checks, their names and the annotation that skips them are Cluster API's
 * (core/reconcilers/machineset/machineset_preflight.go), with one exception: nothing is checked before the control
 * plane is initialized, because the first machines of a cluster start together.
 */
export const preflight = (set: MachineSet, facts: PreflightFacts, bootstrap?: KubeObject): string[] => {
  const fault = namingFaultOf(set);
  return [
    ...(fault === undefined ? [] : [fault]),
    ...missingControlPlane(set, facts, bootstrap),
    ...failedChecks(set, facts, bootstrap),
  ];
};

const failedChecks = (
  set: MachineSet,
  { controlPlane, ...facts }: PreflightFacts,
  bootstrap?: KubeObject,
): string[] => {
  if (!controlPlane?.spec.version || !controlPlane.status?.initialization?.controlPlaneInitialized) return [];
  const skips = skipped(set, bootstrap);
  const {
    version,
    bootstrap: { configRef },
  } = set.spec.template.spec;
  const is = parseTolerantly(version ?? '');
  const wanted = parseTolerantly(controlPlane.spec.version);
  const usesKubeadm = configRef?.kind === 'KubeadmConfigTemplate';
  const checks: [Check, string | undefined][] = [
    ['ControlPlaneIsStable', stable(facts, controlPlane)],
    ['KubernetesVersionSkew', is && wanted ? kubernetesSkew(is, wanted) : undefined],
    ['KubeadmVersionSkew', is && wanted && usesKubeadm ? kubeadmSkew(is, wanted) : undefined],
    ['ControlPlaneVersionSkew', topologySkew(facts.cluster, version, controlPlane.spec.version)],
  ];
  return checks
    .filter(([check]) => !skips.has('All') && !skips.has(check))
    .flatMap(([check, problem]) => (problem ? [failed(check, problem)] : []));
};
