/** The input of a drain plan: the pods, nodes and volumes of a workload cluster, with the fields that a drain uses. */

/** A pod, with the fields that a drain uses. */
export interface DrainPod {
  metadata: {
    name: string;
    namespace: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    deletionTimestamp?: string;
    ownerReferences?: { kind: string; name: string; controller?: boolean }[];
  };
  spec?: { volumes?: { persistentVolumeClaim?: { claimName: string } }[] };
  status?: { phase?: string };
}

export interface DrainNode {
  name: string;
  /** Undefined until a cloud controller manager, or Windlass, has initialized the node. */
  providerId?: string;
  unschedulable: boolean;
  /** Its kubelet is unresponsive: the condition Ready is Unknown. */
  unreachable: boolean;
  /** The names in `status.volumesAttached`. */
  volumes: string[];
}

/** A VolumeAttachment that is attached; `volume` is the name of its PersistentVolume, if it names one. */
export interface AttachedVolume {
  name: string;
  node: string;
  volume?: string;
}

export interface PersistentVolume {
  name: string;
  /** `driver` and `volumeHandle` of a volume that a CSI driver serves. */
  csi?: { driver: string; volumeHandle: string };
  /** `namespace/name` of the PersistentVolumeClaim that it is bound to. */
  claim?: string;
}
