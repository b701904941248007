import type { KubeObject } from '../kube-api/object.ts';
import { clusterMetrics } from './cluster.ts';
import { clusterClassMetrics, clusterResourceSetMetrics } from './cluster-class.ts';
import { kubeadmControlPlaneMetrics } from './control-plane.ts';
import type { StateMetrics } from './family.ts';
import { machineMetrics } from './machine.ts';
import { machineHealthCheckMetrics } from './machine-health-check.ts';
import { machineDeploymentMetrics, machinePoolMetrics, machineSetMetrics } from './workers.ts';

/**
 * Metrics about the state of Cluster API's objects. Their names, labels and values are those that kube-state-metrics
 * makes with Cluster API's configuration for it (core/config/metrics/crd-metrics-config.yaml of v1.14, and `owner` as in
 * v1.13). What differs is in docs/compatibility.md.
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
  // The storage keeps objects of a kind as that kind admitted them.
] as readonly unknown[] as readonly StateMetrics<KubeObject>[];
