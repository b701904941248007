import type { V1Node } from '@kubernetes/client-node';
import type { BootstrapData } from '../bootstrap/bootstrap-data.ts';
import type { EncryptionAlgorithm } from '../bootstrap/certificates/algorithms.ts';
import type { PemPair } from '../bootstrap/certificates/keys.ts';
import type { CertificatePurpose } from '../bootstrap/certificates/secrets.ts';
import type { ChangeReports } from '../bootstrap/change-reports/reports.ts';
import type { IgnitionVersion } from '../bootstrap/ignition/config.ts';
import type { BootstrapConfig, ControlPlane, ControlPlaneStatus } from '../kinds/contract-objects.ts';
import type { Cluster, Machine, Secret } from '../kinds/index.ts';
import type { HealthFacts } from '../plan/control-plane/default-taint.ts';
import type { DistributionRules } from '../plan/control-plane/distribution-rules.ts';
import type { UnknownHealth } from '../plan/control-plane/health.ts';
import type { RemediationSettings } from '../plan/control-plane/retry-limits.ts';
import type { SystemPod } from '../plan/control-plane/system-pod.ts';
import type { Initializer } from '../plan/memory/initializer.ts';
import type { ConditionClaim } from '../plan/status/conditions.ts';
import type { Random } from '../random.ts';
import type { SystemObject } from '../workload/client.ts';
import type { UpgradeTasks } from './upgrade-tasks.ts';

/** Key material that a cluster needs, kept in the Secret `<cluster>-<purpose>`. */
export interface Authority {
  purpose: CertificatePurpose;
  /** The user provides it; it is never created. */
  external: boolean;
  algorithm?: EncryptionAlgorithm;
  days?: number;
}

/** How to access the etcd of a control plane machine: with the `etcdctl` in the pod in which it runs. */
export interface EtcdAccess {
  /** The pod of a node's member, in kube-system. */
  pod(nodeName: string): string;
  /** The node of a member, by the member's name. */
  nodeOf(memberName: string): string;
  container: string;
  /**
   * The command up to etcdctl's own arguments: the member's endpoint and its credentials. `config`: the bootstrap
   * configuration of the machine on which it runs, if it exists.
   */
  etcdctl(config?: BootstrapConfig): readonly string[];
  /** Whether `etcdctl` needs this configuration; absent if it never does. */
  readonly needsConfig?: true;
}

/** What a machine becomes: the first control plane machine, a further one, or a worker. */
export type Role = 'init' | 'control-plane' | 'worker';

/**
 * Everything that is needed to render bootstrap data. The functions read secrets, so their results must not be logged.
 */
export interface BootstrapRequest {
  role: Role;
  cluster: Cluster;
  machine: Machine;
  config: BootstrapConfig;
  /** Null if the cluster's control plane is of another kind than the machine's distribution. */
  controlPlane: ControlPlane | null;
  /** The load balancer of the cluster's endpoint preserves the addresses of clients. */
  preservesClientAddress?: boolean;
  /** The version of Ignition that the machine's image supports. */
  ignitionVersion?: IgnitionVersion;
  /** The machine's image has no Kubernetes; it is installed at the first boot. */
  installs?: boolean;
  /** The maximum length of the data, if their storage is small. Tokens that can be created later are then left out. */
  maxBytes?: number;
  /**
   * The instance belongs to a warm pool: it may be started long before its group puts it in service, and joins only
   * then.
   */
  joinsInService?: boolean;
  /** How the API servers of the cluster report changes; absent if they do not. */
  reports?: ChangeReports;
  /** The cluster's machines that are not being deleted, including this one. */
  machines(): Promise<readonly Machine[]>;
  /** A verified pair. Throws CertificateInvalidError if its Secret does not exist or cannot be used. */
  authority(purpose: CertificatePurpose, expectation?: { external?: boolean }): Promise<PemPair>;
  /** The decoded data of a Secret or a ConfigMap in the machine's namespace; undefined if it does not exist. */
  secret(name: string): Promise<Readonly<Record<string, Uint8Array>> | undefined>;
  configMap(name: string): Promise<Readonly<Record<string, string>> | undefined>;
  /** A Secret in the machine's namespace, with its metadata. */
  storedSecret(name: string): Promise<Secret | undefined>;
}

/** Determines when the certificates of a control plane machine's servers expire. */
export interface CertificatesOfServers {
  /** The ConfigMap of the workload cluster's kube-system in which the distribution keeps its configuration. */
  configMap: string;
  /** `stored`: the data of that ConfigMap. Undefined if unknown. */
  expiry(facts: {
    config: BootstrapConfig;
    /** RFC 3339: when the machine's bootstrap configuration was determined. */
    decidedAt: string | undefined;
    stored: Readonly<Record<string, string>>;
  }): Date | undefined;
}

/**
 * A way to turn machines into a Kubernetes cluster: kubeadm, RKE2. It contains everything that a step needs, so the
 * steps themselves name no distribution. The kinds of the references in Cluster and Machine select it.
 */
export interface Distribution extends DistributionRules {
  /**
   * Its objects are reconciled elsewhere, according to Cluster API's contract (shared/outside). None of them are
   * created or evaluated here.
   */
  readonly isOutside?: true;
  /** The finalizer that keeps a control plane until its machines are gone. Absent if its provider sets its own. */
  readonly finalizer?: string;
  /**
   * The control plane becomes the controller of its cluster's control plane Machines, and of Secrets without a
   * controller.
   */
  readonly adopts?: true;
  /** The component of events about the control plane. */
  readonly component: string;

  /** The key material of a cluster with this control plane. */
  authorities(controlPlane: ControlPlane): readonly Authority[];
  /**
   * For control planes whose Machines are not managed by a control plane object; absent if its provider supports none.
   */
  readonly standalone?: {
    /** The key material of a cluster that the machine with this configuration initializes. */
    authorities(config: BootstrapConfig): readonly Authority[];
  };
  /** A token with which machines of a cluster join, under `value` in a Secret; absent if there is none. */
  readonly joinToken?: {
    secretName(clusterName: string): string;
    make(random: Random): string;
    /** The Secret with everything else that it must contain; undefined if nothing is missing. */
    completed(secret: Secret): Secret | undefined;
  };
  /** The authority that clients trust, and the one that signs the administrator's certificate. */
  readonly kubeconfig: { server: CertificatePurpose; client: CertificatePurpose };

  /** Absent if the machines renew their certificates themselves. */
  readonly certificates?: CertificatesOfServers;

  /** How often replacing an unhealthy machine is attempted. */
  remediation(controlPlane: ControlPlane): RemediationSettings;
  /** How many additional machines a rollout may create: 1 or 0. */
  maxSurge?(controlPlane: ControlPlane): number;
  /**
   * How members are removed from etcd, if Windlass must remove them; undefined if etcd is external or manages its
   * members itself.
   */
  etcd?(controlPlane: ControlPlane): EtcdAccess | undefined;

  /** A control plane never upgrades several minor versions at once; absent if its provider allows it. */
  readonly stepsByMinor?: true;
  /** Absent if nothing in the workload cluster must be updated, because the machines bring everything with them. */
  readonly upgradeTasks?: UpgradeTasks;

  /**
   * The text that makes a machine a node. Throws BootstrapInvalidError, which names the field, for a setting that
   * cannot be supported.
   */
  render(request: BootstrapRequest): Promise<BootstrapData>;
  /** Annotations for the node of a machine with this configuration; absent if configurations have none. */
  nodeAnnotations?(config: BootstrapConfig): Readonly<Record<string, string>>;
  /**
   * Whether machines join with bootstrap tokens, which must be kept valid in the workload cluster until the machines
   * have joined.
   */
  readonly usesBootstrapTokens: boolean;
  /**
   * The facts about the cluster that the data of workers contain, in addition to their configuration. The instances of
   * a pool start from the same data for a long time, so the data are recreated when these facts change. Undefined while
   * they are unknown; absent if nothing can change.
   */
  joining?(controlPlane: ControlPlane, cluster: Cluster, machines: readonly Machine[]): object | undefined;

  /** An object in kube-system of the workload cluster that exists as soon as the control plane is initialized. */
  readonly initializedBy: SystemObject;
  /**
   * What must be recorded, before it boots, about the machine that initializes a control plane; absent if its node is
   * evaluated like all others.
   */
  initializer?(request: BootstrapRequest): Initializer;
  /** The health of one control plane machine from its node and the pods of kube-system with `tier=control-plane`. */
  health(node: V1Node, pods: readonly SystemPod[], facts: HealthFacts): ConditionClaim[];
  /** Whether `health` also needs the machine's bootstrap configuration; absent if it never does. */
  healthNeedsConfig?(node: V1Node, machine: Machine): boolean;
  /**
   * The same claims while nothing is known, because the workload cluster cannot be reached or the node does not exist.
   */
  unknownHealth(why: UnknownHealth): ConditionClaim[];
  /** The control plane's status in addition to `common`, which all distributions have. */
  status(
    controlPlane: ControlPlane,
    common: ControlPlaneStatus,
    facts: { cluster: Cluster; machines: readonly Machine[] },
  ): ControlPlaneStatus;
}
