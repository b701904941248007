import type { AttachedVolume, DrainNode, DrainPod, PersistentVolume } from '../plan/drain/facts.ts';

/** The result of an eviction; `gone`: the pod no longer existed. `why` is the API server's text. */
export type EvictionAnswer = { outcome: 'evicted' | 'gone' } | { outcome: 'refused'; why: string };

/** What a drain needs from the workload cluster. Reads throw WorkloadUnreachableError and WorkloadRefusedError. */
export interface DrainApi {
  node(name: string): Promise<DrainNode | undefined>;
  /** Makes the node unschedulable. */
  cordon(name: string): Promise<void>;
  podsOn(node: string): Promise<DrainPod[]>;
  /** Labels of all namespaces, by their names. */
  namespaces(): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>;
  hasDaemonSet(namespace: string, name: string): Promise<boolean>;
  /**
   * Evicts a pod, unless a PodDisruptionBudget forbids it. The default of `graceSeconds` is the pod's own grace period.
   */
  evict(pod: DrainPod, graceSeconds?: number): Promise<EvictionAnswer>;
  attachedVolumes(): Promise<AttachedVolume[]>;
  persistentVolumes(): Promise<PersistentVolume[]>;
}
