import type { Condition, KubeObject } from '../../../../shared/kube-api/object.ts';

/** The kinds of a workload cluster, with the fields that kubelet, kubeadm and the controllers here read and write. */

export interface NodeTaint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

/** NodeCondition and PodCondition: a metav1.Condition with a heartbeat and without observedGeneration. */
export interface HeartbeatCondition extends Omit<Condition, 'observedGeneration'> {
  lastHeartbeatTime?: string;
}

export interface Node extends KubeObject {
  spec?: { providerID?: string; taints?: NodeTaint[]; unschedulable?: boolean; podCIDR?: string; podCIDRs?: string[] };
  status?: {
    conditions?: HeartbeatCondition[];
    addresses?: { type: string; address: string }[];
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
    nodeInfo?: Record<string, string>;
    volumesAttached?: { name: string; devicePath?: string }[];
  };
}

export interface Pod extends KubeObject {
  spec?: { nodeName?: string; containers?: { name: string; image: string }[]; [field: string]: unknown };
  status?: {
    phase?: string;
    podIP?: string;
    reason?: string;
    conditions?: Omit<HeartbeatCondition, 'message' | 'reason'>[];
    containerStatuses?: { name: string; ready: boolean; restartCount: number; [field: string]: unknown }[];
    [field: string]: unknown;
  };
}

export interface Lease extends KubeObject {
  spec?: { holderIdentity?: string; leaseDurationSeconds?: number; renewTime?: string };
}

export interface CertificateSigningRequest extends KubeObject {
  spec: {
    /** PEM, base64. */
    request: string;
    signerName: string;
    usages?: string[];
    username?: string;
    groups?: string[];
    expirationSeconds?: number;
  };
  status?: {
    conditions?: { type: string; status: string; reason?: string; message?: string; lastUpdateTime?: string }[];
    /** PEM, base64. */
    certificate?: string;
  };
}

export interface ClusterRoleBinding extends KubeObject {
  roleRef?: { kind: string; name: string };
  subjects?: { kind: string; name: string }[];
}
