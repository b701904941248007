import { describe, expect, it } from 'vitest';
import { conversionsOf, yaml } from '../../v1beta1/test-conversion.ts';
import { machine } from '../definition.ts';

const { toStored, toOld } = conversionsOf(machine);

const OLD = `
  spec:
    clusterName: red
    version: v1.34.0
    bootstrap: { configRef: { apiVersion: bootstrap.cluster.x-k8s.io/v1beta1, kind: KubeadmConfig, name: a, namespace: default } }
    infrastructureRef: { apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: AWSMachine, name: a, namespace: default }
    nodeDrainTimeout: 1m30s
    nodeVolumeDetachTimeout: 0s
  status:
    phase: Running
    bootstrapReady: true
    infrastructureReady: true
    nodeRef: { apiVersion: v1, kind: Node, name: ip-10-0-0-1 }
    v1beta2: { conditions: [] }
`;

const STORED = `
  spec:
    clusterName: red
    version: v1.34.0
    bootstrap: { configRef: { apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfig, name: a } }
    infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: AWSMachine, name: a }
    deletion: { nodeDrainTimeoutSeconds: 90, nodeVolumeDetachTimeoutSeconds: 0 }
  status:
    phase: Running
    initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true }
    nodeRef: { name: ip-10-0-0-1 }
    conditions: []
`;

describe('Machine v1beta1', () => {
  it('is converted to and from v1beta2 without an annotation', () => {
    expect(toStored(OLD)).toMatchObject(yaml(STORED) as object);
    expect(toOld(STORED)).toMatchObject(yaml(OLD) as object);
    expect([toStored(OLD).metadata.annotations, toOld(STORED).metadata.annotations]).toEqual([undefined, undefined]);
  });

  it('has the phase Running while v1beta2 has the phase Updating', () => {
    expect(toOld('status: { phase: Updating }').status).toEqual({ phase: 'Running' });
  });

  it.each([
    { text: '5m', seconds: 300 },
    { text: '1h2m3.9s', seconds: 3723 },
    { text: '500ms', seconds: 0 },
    { text: '0', seconds: 0 },
    { text: '-1m', seconds: -60 },
    { text: '2562047h', seconds: 2147483647 },
  ])('converts $text to $seconds seconds, and shows it as it was written', ({ text, seconds }) => {
    const stored = toStored(`spec: { nodeDrainTimeout: '${text}' }`);
    expect(stored.spec).toEqual({ deletion: { nodeDrainTimeoutSeconds: seconds } });
    expect(toOld(JSON.stringify(stored)).spec).toEqual({ nodeDrainTimeout: text });
  });
});
