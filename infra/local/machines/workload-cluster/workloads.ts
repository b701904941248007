import type { LabelSelector } from '../../../../shared/kinds/schema/meta.ts';
import type { Condition, KubeObject } from '../../../../shared/kube-api/object.ts';
import type { Pod } from './objects.ts';

/** The kinds that create pods and protect them, as far as the controllers here read and write them. */

export interface PodTemplate {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: Pod['spec'];
}

interface Workload extends KubeObject {
  spec: { selector?: LabelSelector; template?: PodTemplate; replicas?: number };
  status?: Record<string, unknown>;
}

export interface ReplicaSet extends Workload {
  status?: { replicas?: number; readyReplicas?: number; [field: string]: unknown };
}

export type Deployment = Workload;
export type DaemonSet = Workload;

export interface Budget extends KubeObject {
  spec: {
    selector?: LabelSelector;
    minAvailable?: number | string;
    maxUnavailable?: number | string;
    unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
  };
  status?: {
    disruptionsAllowed: number;
    currentHealthy: number;
    desiredHealthy: number;
    expectedPods: number;
    observedGeneration?: number;
    disruptedPods?: Record<string, string>;
    conditions?: Condition[];
  };
}

/** Whether a pod has the condition Ready. */
export const isPodReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;

/** The uid of the object that controls another. */
export const controllerUid = ({ metadata }: KubeObject): string | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
