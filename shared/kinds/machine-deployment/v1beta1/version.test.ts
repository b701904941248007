import { describe, expect, it } from 'vitest';
import { conversionsOf, yaml } from '../../v1beta1/test-conversion.ts';
import { machineDeployment } from '../definition.ts';

const { toStored, toOld } = conversionsOf(machineDeployment);

const OLD = `
  spec:
    clusterName: red
    replicas: 3
    selector: { matchLabels: {} }
    minReadySeconds: 5
    rolloutAfter: '2026-01-02T03:04:05Z'
    machineNamingStrategy: { template: x }
    strategy:
      type: RollingUpdate
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0, deletePolicy: Newest }
      remediation: { maxInFlight: 20% }
    template: { spec: { clusterName: red, nodeDeletionTimeout: 10s } }
  status:
    replicas: 3
    readyReplicas: 2
    updatedReplicas: 1
    v1beta2: { readyReplicas: 1, upToDateReplicas: 3 }
`;

const STORED = `
  spec:
    clusterName: red
    replicas: 3
    selector: { matchLabels: {} }
    machineNaming: { template: x }
    rollout:
      after: '2026-01-02T03:04:05Z'
      strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
    deletion: { order: Newest }
    remediation: { maxInFlight: 20% }
    template: { spec: { clusterName: red, minReadySeconds: 5, deletion: { nodeDeletionTimeoutSeconds: 10 } } }
  status:
    replicas: 3
    readyReplicas: 1
    upToDateReplicas: 3
    deprecated: { v1beta1: { readyReplicas: 2, updatedReplicas: 1 } }
`;

describe('MachineDeployment v1beta1', () => {
  it('is converted to and from v1beta2 without an annotation', () => {
    expect(toStored(OLD)).toMatchObject(yaml(STORED) as object);
    expect(toOld(STORED)).toMatchObject(yaml(OLD) as object);
    expect([toStored(OLD).metadata.annotations, toOld(STORED).metadata.annotations]).toEqual([undefined, undefined]);
  });

  it('keeps the fields that v1beta2 no longer has', () => {
    const old = 'spec: { revisionHistoryLimit: 2, progressDeadlineSeconds: 600, paused: false }';
    const stored = toStored(old);
    expect(stored.spec).toEqual({ paused: false });
    expect(toOld(JSON.stringify(stored)).spec).toEqual((yaml(old) as { spec: unknown }).spec);
  });
});
