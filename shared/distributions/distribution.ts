import type { V1Node } from '@kubernetes/client-node';
import type { BootstrapData } from '../bootstrap/bootstrap-data.ts';
import type { EncryptionAlgorithm } from '../bootstrap/certificates/algorithms.ts';
import type { PemPair } from '../bootstrap/certificates/keys.ts';
import type { CertificatePurpose } from '../bootstrap/certificates/secrets.ts';
import type { ChangeReports } from '../bootstrap/change-reports/reports.ts';
import type { IgnitionVersion } from '../bootstrap/ignition/config.ts';
import type { BootstrapConfig, ControlPlane, ControlPlaneStatus } from '../kinds/contract-objects.ts';
import type { Cluster, Machine } from '../kinds/index.ts';
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
  /** The user brings it; it is never made. */
  external: boolean;
  algorithm?: EncryptionAlgorithm;
  days?: number;
}

/** How the etcd of a control plane machine is talked to: by its own `etcdctl`, in the pod that it runs in. */
export interface EtcdAccess {
  /** The pod of a node's member, in kube-system. */
  pod(nodeName: string): string;
  /** The node of a member, by the member's name. */
  nodeOf(memberName: string): string;
  container: string;
  /**
   * The command up to etcdctl's own arguments: the member's endpoint, and its credentials. `config`: the bootstrap
   * configuration of the machine on which it runs, if it exists.
   */
  etcdctl(config?: BootstrapConfig): readonly string[];
  /** Whether `etcdctl` needs this configuration; absent if it never does. */
  readonly needsConfig?: true;
}

/** What a machine becomes: the first of its control plane, a further one, or a worker. */
export type Role = 'init' | 'control-plane' | 'worker';

/** Everything that bootstrap data is made from. The functions read secrets; keep what they give out of logs. */
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
  /** How long the data may be, if they must fit into something small; tokens that can be created later are left out. */
  maxBytes?: number;
  /** The instance may be started long before its group puts it in service, and joins then: it is one of a warm pool. */
  joinsInService?: boolean;
  /** How the API servers of the cluster report changes; absent if they do not. */
  reports?: ChangeReports;
  /** The cluster's machines that are not being deleted, including this one. */
  machines(): Promise<readonly Machine[]>;
  /** A verified pair. Throws CertificateInvalidError where its Secret does not exist or cannot be used. */
  authority(purpose: CertificatePurpose, expectation?: { external?: boolean }): Promise<PemPair>;
  /** The decoded data of a Secret or a ConfigMap in the machine's namespace; undefined if it does not exist. */
  secret(name: string): Promise<Readonly<Record<string, Uint8Array>> | undefined>;
  configMap(name: string): Promise<Readonly<Record<string, string>> | undefined>;
}

/** How the end of the certificates of a control plane machine's servers is known. */
export interface CertificatesOfServers {
  /** The ConfigMap of the workload cluster's kube-system in which the distribution keeps its configuration. */
  configMap: string;
  /** `stored`: the data of that ConfigMap. Undefined if unknown. */
  expiry(facts: {
    config: BootstrapConfig;
    /** RFC 3339: when it was decided what the machine starts with. */
    decidedAt: string | undefined;
    stored: Readonly<Record<string, string>>;
  }): Date | undefined;
}

/**
 * A way to turn machines into a Kubernetes cluster: kubeadm, RKE2. It contains everything that a step needs, so the
 * steps themselves name no distribution. The kinds of the references in Cluster and Machine select it.
 */
export interface Distribution extends DistributionRules {
  /** Its objects are reconciled elsewhere, by Cluster API's contract (shared/outside); nothing of it is created or evaluated here. */
  readonly isOutside?: true;
  /** Keeps a control plane until its machines are gone. Absent if its provider sets its own. */
  readonly finalizer?: string;
  /** The control plane becomes the controller of its cluster's control plane Machines and of Secrets that have none. */
  readonly adopts?: true;
  /** The component of events about the control plane. */
  readonly component: string;

  /** The key material of a cluster with this control plane. */
  authorities(controlPlane: ControlPlane): readonly Authority[];
  /** For control planes whose Machines no control plane object manages; absent if its provider supports none. */
  readonly standalone?: {
    /** The key material of a cluster that the machine with this configuration initializes. */
    authorities(config: BootstrapConfig): readonly Authority[];
  };
  /** A token that all machines of a cluster join with, under `value` in a Secret; absent if there is none. */
  readonly joinToken?: { secretName(clusterName: string): string; make(random: Random): string };
  /** Which authority clients trust, and which one signs the administrator's certificate. */
  readonly kubeconfig: { server: CertificatePurpose; client: CertificatePurpose };

  /** Absent if the machines renew their certificates themselves. */
  readonly certificates?: CertificatesOfServers;

  /** How often replacing an unhealthy machine is attempted. */
  remediation(controlPlane: ControlPlane): RemediationSettings;
  /** How many additional machines a rollout may create: 1 or 0. */
  maxSurge?(controlPlane: ControlPlane): number;
  /** How members are removed from etcd, if we have to; undefined if etcd is external, or manages its members itself. */
  etcd?(controlPlane: ControlPlane): EtcdAccess | undefined;

  /** A control plane never upgrades over several minor versions at once; absent if its provider allows it. */
  readonly stepsByMinor?: true;
  /** Absent if nothing in the workload cluster has to follow: the machines bring it with them. */
  readonly upgradeTasks?: UpgradeTasks;

  /** The text that makes a machine a node. Throws BootstrapInvalidError, which names the field, for what cannot be done. */
  render(request: BootstrapRequest): Promise<BootstrapData>;
  /** Annotations for the node of a machine with this configuration; absent if configurations have none. */
  nodeAnnotations?(config: BootstrapConfig): Readonly<Record<string, string>>;
  /** Whether machines join with bootstrap tokens, which must be kept valid in the workload cluster until they have. */
  readonly usesBootstrapTokens: boolean;
  /**
   * Data about the cluster in the data of workers, in addition to their configuration. The instances of a pool start
   * from the same data for a long time, so it is recreated when this changes. Undefined while it is not known; absent
   * if nothing can change.
   */
  joining?(controlPlane: ControlPlane, cluster: Cluster, machines: readonly Machine[]): object | undefined;

  /** In kube-system of the workload cluster from the moment that the control plane is initialized. */
  readonly initializedBy: SystemObject;
  /**
   * What must be recorded about the machine that initializes a control plane, before it boots; absent if its node is
   * evaluated like all others.
   */
  initializer?(request: BootstrapRequest): Initializer;
  /** The health of one control plane machine from its node and the pods of kube-system with `tier=control-plane`. */
  health(node: V1Node, pods: readonly SystemPod[], facts: HealthFacts): ConditionClaim[];
  /** Whether `health` also needs the machine's bootstrap configuration; absent if it never does. */
  healthNeedsConfig?(node: V1Node, machine: Machine): boolean;
  /** The same while nothing is known, because the workload cluster cannot be reached or the node does not exist. */
  unknownHealth(why: UnknownHealth): ConditionClaim[];
  /** What the control plane's status says besides what all have in common; `common` is that. */
  status(
    controlPlane: ControlPlane,
    common: ControlPlaneStatus,
    facts: { cluster: Cluster; machines: readonly Machine[] },
  ): ControlPlaneStatus;
}
