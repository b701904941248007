/** A pod, as far as a drain looks at it. */
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
  unschedulable: boolean;
  /** Its kubelet is silent: the condition Ready is Unknown. */
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

/** What came of an eviction; `gone`: there was no such pod any more. `why` are the API server's words. */
export type EvictionAnswer = { outcome: 'evicted' | 'gone' } | { outcome: 'refused'; why: string };

/** What a drain needs of the created cluster. Reads throw WorkloadUnreachableError and WorkloadRefusedError. */
export interface DrainApi {
  node(name: string): Promise<DrainNode | undefined>;
  /** Makes the node unschedulable. */
  cordon(name: string): Promise<void>;
  podsOn(node: string): Promise<DrainPod[]>;
  /** Labels of all namespaces, by their names. */
  namespaces(): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>;
  hasDaemonSet(namespace: string, name: string): Promise<boolean>;
  /** Evicts a pod, which PodDisruptionBudgets may forbid. Without `graceSeconds` the pod's own grace period holds. */
  evict(pod: DrainPod, graceSeconds?: number): Promise<EvictionAnswer>;
  attachedVolumes(): Promise<AttachedVolume[]>;
  persistentVolumes(): Promise<PersistentVolume[]>;
}
