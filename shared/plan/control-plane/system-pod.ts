interface ContainerState {
  waiting?: { reason?: string };
  terminated?: { reason?: string; exitCode?: number };
}

/** A pod in the namespace kube-system of a created cluster, as far as it is read. */
export interface SystemPod {
  metadata?: { name?: string };
  status?: {
    phase?: string;
    conditions?: readonly { type: string; status: string }[];
    containerStatuses?: readonly { state?: ContainerState; lastState?: ContainerState }[];
  };
}
