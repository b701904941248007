import { expect, it } from 'vitest';
import { conversionsOf, yaml } from '../../v1beta1/test-conversion.ts';
import { machineSet } from '../definition.ts';

const { toStored, toOld } = conversionsOf(machineSet);

const OLD = `
  spec:
    clusterName: red
    minReadySeconds: 0
    deletePolicy: Oldest
    machineNamingStrategy: { template: x }
    template: { spec: { clusterName: red } }
  status: { availableReplicas: 1, fullyLabeledReplicas: 2, v1beta2: { availableReplicas: 3 }, failureMessage: broken }
`;

const STORED = `
  spec:
    clusterName: red
    deletion: { order: Oldest }
    machineNaming: { template: x }
    template: { spec: { clusterName: red, minReadySeconds: 0 } }
  status:
    availableReplicas: 3
    deprecated: { v1beta1: { availableReplicas: 1, fullyLabeledReplicas: 2, failureMessage: broken } }
`;

it('MachineSet v1beta1 is converted to and from v1beta2 without an annotation', () => {
  expect(toStored(OLD)).toMatchObject(yaml(STORED) as object);
  expect(toOld(STORED)).toMatchObject(yaml(OLD) as object);
  expect([toStored(OLD).metadata.annotations, toOld(STORED).metadata.annotations]).toEqual([undefined, undefined]);
});
