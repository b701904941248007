import { describe, expect, it } from 'vitest';
import { conversionsOf, yaml } from '../../v1beta1/test-conversion.ts';
import { kubeadmControlPlane } from '../definition.ts';

const { toStored, toOld } = conversionsOf(kubeadmControlPlane);

const OLD = `
  spec:
    version: v1.34.0
    replicas: 3
    machineTemplate:
      metadata: { labels: { a: b } }
      infrastructureRef: { apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: AWSMachineTemplate, name: cp, namespace: default }
      nodeDrainTimeout: 5m0s
      readinessGates: [{ conditionType: Fine }]
    kubeadmConfigSpec: { clusterConfiguration: { apiServer: { extraArgs: { v: '4' } } } }
    rolloutBefore: { certificatesExpiryDays: 21 }
    rolloutAfter: '2026-01-02T03:04:05Z'
    rolloutStrategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 0 } }
    remediationStrategy: { maxRetry: 3, retryPeriod: 20m0s, minHealthyPeriod: 1h0m0s }
  status:
    initialized: true
    ready: true
    readyReplicas: 2
    lastRemediation: { machine: m, retryCount: 0, timestamp: '2026-01-02T03:04:05Z' }
    v1beta2: { readyReplicas: 3 }
`;

const STORED = `
  spec:
    version: v1.34.0
    replicas: 3
    machineTemplate:
      metadata: { labels: { a: b } }
      spec:
        infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: AWSMachineTemplate, name: cp }
        deletion: { nodeDrainTimeoutSeconds: 300 }
        readinessGates: [{ conditionType: Fine }]
    kubeadmConfigSpec: { clusterConfiguration: { apiServer: { extraArgs: [{ name: v, value: '4' }] } } }
    rollout:
      before: { certificatesExpiryDays: 21 }
      after: '2026-01-02T03:04:05Z'
      strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 0 } }
    remediation: { maxRetry: 3, retryPeriodSeconds: 1200, minHealthyPeriodSeconds: 3600 }
  status:
    initialization: { controlPlaneInitialized: true }
    readyReplicas: 3
    lastRemediation: { machine: m, retryCount: 0, time: '2026-01-02T03:04:05Z' }
    deprecated: { v1beta1: { readyReplicas: 2 } }
`;

describe('KubeadmControlPlane v1beta1', () => {
  it('is converted to and from v1beta2 without an annotation', () => {
    expect(toStored(OLD)).toMatchObject(yaml(STORED) as object);
    expect(toOld(STORED)).toMatchObject(yaml(OLD) as object);
    expect([toStored(OLD).metadata.annotations, toOld(STORED).metadata.annotations]).toEqual([undefined, undefined]);
  });

  it('always has a bootstrap configuration, which v1beta2 omits if it is empty', () => {
    expect(toOld('spec: { version: v1.34.0 }').spec).toEqual({ version: 'v1.34.0', kubeadmConfigSpec: {} });
    expect(toStored('spec: { version: v1.34.0, kubeadmConfigSpec: {} }').spec).toEqual({ version: 'v1.34.0' });
  });
});
