import type { KubeObject } from '../kube-api/object.ts';

/** Labels, annotations, finalizers and API groups of Cluster API, by the names in its documentation. */

export const GROUP = {
  core: 'cluster.x-k8s.io',
  bootstrap: 'bootstrap.cluster.x-k8s.io',
  controlPlane: 'controlplane.cluster.x-k8s.io',
  infrastructure: 'infrastructure.cluster.x-k8s.io',
  addons: 'addons.cluster.x-k8s.io',
} as const;

export const LABEL = {
  clusterName: 'cluster.x-k8s.io/cluster-name',
  controlPlane: 'cluster.x-k8s.io/control-plane',
  controlPlaneName: 'cluster.x-k8s.io/control-plane-name',
  deploymentName: 'cluster.x-k8s.io/deployment-name',
  setName: 'cluster.x-k8s.io/set-name',
  poolName: 'cluster.x-k8s.io/pool-name',
  templateHash: 'machine-template-hash',
  /** On a Node: its instance may be reclaimed at any time. */
  interruptible: 'cluster.x-k8s.io/interruptible',
} as const;

export const ANNOTATION = {
  paused: 'cluster.x-k8s.io/paused',
  /** On an infrastructure object: another system manages it. */
  managedBy: 'cluster.x-k8s.io/managed-by',
  /** Windlass's own, on a Cluster: who manages its infrastructure, even if the infrastructure object is gone. */
  infrastructureManagedBy: 'windlass.dev/infrastructure-managed-by',
  /** Windlass's own: whether nodes are initialized by Windlass or by a cloud controller manager. */
  nodeInitialization: 'windlass.dev/node-initialization',
  /** Windlass's own, on a Cluster: a new value requests a pass, whatever the cluster waits for. */
  reconcileRequestedAt: 'windlass.dev/reconcile-requested-at',
  /** Windlass's own, on a Cluster that `windlass adopt` has paused: whether it is unpaused in the end. */
  adopting: 'windlass.dev/adopting',
  skipKubeProxy: 'controlplane.cluster.x-k8s.io/skip-kube-proxy',
  deleteMachine: 'cluster.x-k8s.io/delete-machine',
  remediateMachine: 'cluster.x-k8s.io/remediate-machine',
  skipRemediation: 'cluster.x-k8s.io/skip-remediation',
  remediationInProgress: 'controlplane.cluster.x-k8s.io/remediation-in-progress',
  remediationFor: 'controlplane.cluster.x-k8s.io/remediation-for',
  /** On a machine of an RKE2 control plane, as in upstream: the servers' configuration with which it was created. */
  rke2ServerConfiguration: 'controlplane.cluster.x-k8s.io/rke2-server-configuration',
  /** Windlass's own, on a MachineHealthCheck: when the next of its timeouts ends. */
  nextCheck: 'windlass.dev/next-check',
  certificatesExpiry: 'machine.cluster.x-k8s.io/certificates-expiry',
  clonedFromName: 'cluster.x-k8s.io/cloned-from-name',
  clonedFromGroupKind: 'cluster.x-k8s.io/cloned-from-groupkind',
  revision: 'machinedeployment.clusters.x-k8s.io/revision',
  desiredReplicas: 'machinedeployment.clusters.x-k8s.io/desired-replicas',
  maxReplicas: 'machinedeployment.clusters.x-k8s.io/max-replicas',
  disableMachineCreate: 'cluster.x-k8s.io/disable-machine-create',
  skipPreflightChecks: 'machineset.cluster.x-k8s.io/skip-preflight-checks',
  nodeClusterName: 'cluster.x-k8s.io/cluster-name',
  nodeClusterNamespace: 'cluster.x-k8s.io/cluster-namespace',
  nodeMachine: 'cluster.x-k8s.io/machine',
  nodeOwnerKind: 'cluster.x-k8s.io/owner-kind',
  nodeOwnerName: 'cluster.x-k8s.io/owner-name',
  nodeLabelsFromMachine: 'cluster.x-k8s.io/labels-from-machine',
  nodeAnnotationsFromMachine: 'cluster.x-k8s.io/annotations-from-machine',
  nodeTaintsFromMachine: 'cluster.x-k8s.io/taints-from-machine',
} as const;

export const FINALIZER = {
  cluster: 'cluster.cluster.x-k8s.io',
  kubeadmControlPlane: 'kubeadm.controlplane.cluster.x-k8s.io',
  machineDeployment: 'cluster.x-k8s.io/machinedeployment',
  machineSet: 'cluster.x-k8s.io/machineset',
  machine: 'machine.cluster.x-k8s.io',
  machinePool: 'machinepool.cluster.x-k8s.io',
  clusterResourceSet: 'addons.cluster.x-k8s.io',
} as const;

/** Whether a machine belongs to the control plane of its cluster. */
export const isControlPlaneMachine = ({ metadata }: Pick<KubeObject, 'metadata'>): boolean =>
  LABEL.controlPlane in (metadata.labels ?? {});
