import { describe, expect, it } from 'vitest';
import { conversionsOf, yaml } from '../../v1beta1/test-conversion.ts';
import { cluster } from '../definition.ts';

const { toStored, toOld, completed } = conversionsOf(cluster);

const OLD = `
  spec:
    paused: true
    clusterNetwork: { pods: { cidrBlocks: [10.0.0.0/16] } }
    controlPlaneRef: { apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: KubeadmControlPlane, name: cp, namespace: default }
    infrastructureRef: { apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: AWSCluster, name: infra, namespace: default }
  status:
    infrastructureReady: true
    controlPlaneReady: false
    failureDomains: { b: { controlPlane: true }, a: { attributes: { x: y } } }
    conditions: [{ type: Ready, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }]
    failureReason: CreateError
    v1beta2:
      conditions: [{ type: Available, status: 'True', reason: Available, message: '', lastTransitionTime: '2026-01-02T03:04:05Z' }]
      workers: { desiredReplicas: 3 }
`;

const STORED = `
  spec:
    paused: true
    clusterNetwork: { pods: { cidrBlocks: [10.0.0.0/16] } }
    controlPlaneRef: { apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: cp }
    infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: AWSCluster, name: infra }
  status:
    initialization: { infrastructureProvisioned: true, controlPlaneInitialized: false }
    failureDomains: [{ name: a, attributes: { x: y } }, { name: b, controlPlane: true }]
    conditions: [{ type: Available, status: 'True', reason: Available, message: '', lastTransitionTime: '2026-01-02T03:04:05Z' }]
    workers: { desiredReplicas: 3 }
    deprecated:
      v1beta1:
        conditions: [{ type: Ready, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }]
        failureReason: CreateError
`;

const plain = { name: 'any', namespace: 'default' };

describe('Cluster v1beta1', () => {
  it('is converted to and from v1beta2 without an annotation', () => {
    expect(toStored(OLD)).toMatchObject({ ...(yaml(STORED) as object), metadata: plain });
    expect(toOld(STORED)).toMatchObject({ ...(yaml(OLD) as object), metadata: plain });
  });

  it('has references into its own namespace by default', () => {
    const refs = 'spec: { controlPlaneRef: { kind: K, name: a }, infrastructureRef: { name: b, namespace: other } }';
    expect(completed(refs).spec).toEqual({
      controlPlaneRef: { kind: 'K', name: 'a', namespace: 'default' },
      infrastructureRef: { name: 'b', namespace: 'other' },
    });
  });

  it('treats empty values of Go clients as absent', () => {
    const { spec } = toStored(`spec: { controlPlaneEndpoint: { host: '', port: 0 }, clusterNetwork: {} }`);
    expect(spec).toEqual({});
  });

  it('has an equivalent topology in its own format', () => {
    const old = `
      spec:
        topology:
          class: quick
          version: v1.34.0
          controlPlane: { nodeDrainTimeout: 5m0s, machineHealthCheck: { enable: true, maxUnhealthy: 40% } }
          workers:
            machineDeployments:
              - class: worker
                name: md
                nodeDeletionTimeout: 10s
                strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, deletePolicy: Oldest }, remediation: { maxInFlight: 2 } }
                machineHealthCheck: { unhealthyConditions: [{ type: Ready, status: Unknown, timeout: 1h0m0s }] }
    `;
    const stored = `
      spec:
        topology:
          classRef: { name: quick }
          version: v1.34.0
          controlPlane:
            deletion: { nodeDrainTimeoutSeconds: 300 }
            healthCheck: { enabled: true, remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 40% } } }
          workers:
            machineDeployments:
              - class: worker
                name: md
                deletion: { nodeDeletionTimeoutSeconds: 10, order: Oldest }
                rollout: { strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1 } } }
                healthCheck:
                  checks: { unhealthyNodeConditions: [{ type: Ready, status: Unknown, timeoutSeconds: 3600 }] }
                  remediation: { maxInFlight: 2 }
    `;
    expect(toStored(old).spec).toEqual((yaml(stored) as { spec: unknown }).spec);
    expect(toOld(stored).spec).toEqual((yaml(old) as { spec: unknown }).spec);
  });
});
