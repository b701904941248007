interface ContainerState {
  waiting?: { reason?: string };
  terminated?: { reason?: string; exitCode?: number };
}

/** The parts of a pod in the namespace kube-system of a workload cluster that are read. */
export interface SystemPod {
  metadata?: { name?: string };
  status?: {
    phase?: string;
    conditions?: readonly { type: string; status: string }[];
    containerStatuses?: readonly { state?: ContainerState; lastState?: ContainerState }[];
  };
}
