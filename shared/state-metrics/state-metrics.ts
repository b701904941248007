import type { KubeObject } from '../kube-api/object.ts';
import { clusterMetrics } from './cluster.ts';
import { clusterClassMetrics, clusterResourceSetMetrics } from './cluster-class.ts';
import { kubeadmControlPlaneMetrics } from './control-plane.ts';
import type { StateMetrics } from './family.ts';
import { machineMetrics } from './machine.ts';
import { machineHealthCheckMetrics } from './machine-health-check.ts';
import { machineDeploymentMetrics, machinePoolMetrics, machineSetMetrics } from './workers.ts';

/**
 * Metrics about the state of Cluster API's objects. Their names, labels and values are those of kube-state-metrics with
 * Cluster API's configuration for it (core/config/metrics/crd-metrics-config.yaml of v1.14, and `owner` as in v1.13).
 * docs/compatibility.md lists the differences.
 */
export const STATE_METRICS = [
  clusterMetrics,
  clusterClassMetrics,
  clusterResourceSetMetrics,
  kubeadmControlPlaneMetrics,
  machineMetrics,
  machineDeploymentMetrics,
  machineHealthCheckMetrics,
  machinePoolMetrics,
  machineSetMetrics,
  // Stored objects have passed the admission of their kind.
] as readonly unknown[] as readonly StateMetrics<KubeObject>[];
