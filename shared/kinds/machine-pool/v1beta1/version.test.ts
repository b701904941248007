import { expect, it } from 'vitest';
import { conversionsOf, yaml } from '../../v1beta1/test-conversion.ts';
import { machinePool } from '../definition.ts';

const { toStored, toOld } = conversionsOf(machinePool);

const OLD = `
  spec:
    clusterName: red
    replicas: 2
    minReadySeconds: 10
    template: { spec: { clusterName: red, nodeDrainTimeout: 0s } }
  status:
    nodeRefs: [{ apiVersion: v1, kind: Node, name: a }]
    readyReplicas: 1
    bootstrapReady: true
    infrastructureReady: false
    v1beta2: { readyReplicas: 2 }
`;

const STORED = `
  spec:
    clusterName: red
    replicas: 2
    template: { spec: { clusterName: red, minReadySeconds: 10, deletion: { nodeDrainTimeoutSeconds: 0 } } }
  status:
    nodeRefs: [{ apiVersion: v1, kind: Node, name: a }]
    readyReplicas: 2
    initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: false }
    deprecated: { v1beta1: { readyReplicas: 1 } }
`;

it('MachinePool v1beta1 is converted to and from v1beta2 without an annotation', () => {
  expect(toStored(OLD)).toMatchObject(yaml(STORED) as object);
  expect(toOld(STORED)).toMatchObject(yaml(OLD) as object);
  expect([toStored(OLD).metadata.annotations, toOld(STORED).metadata.annotations]).toEqual([undefined, undefined]);
});
