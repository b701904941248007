import { expect, it } from 'vitest';
import { conversionsOf, yaml } from '../../v1beta1/test-conversion.ts';
import { machineHealthCheck } from '../definition.ts';

const { toStored, toOld } = conversionsOf(machineHealthCheck);

const OLD = `
  spec:
    clusterName: red
    selector: { matchLabels: { a: b } }
    maxUnhealthy: 40%
    unhealthyRange: '[3-5]'
    nodeStartupTimeout: 10m0s
    unhealthyConditions: [{ type: Ready, status: Unknown, timeout: 5m0s }]
    remediationTemplate: { apiVersion: x.example.com/v1, kind: T, name: t, namespace: default }
  status: { expectedMachines: 0, remediationsAllowed: 1 }
`;

const STORED = `
  spec:
    clusterName: red
    selector: { matchLabels: { a: b } }
    checks:
      nodeStartupTimeoutSeconds: 600
      unhealthyNodeConditions: [{ type: Ready, status: Unknown, timeoutSeconds: 300 }]
    remediation:
      triggerIf: { unhealthyLessThanOrEqualTo: 40%, unhealthyInRange: '[3-5]' }
      templateRef: { apiVersion: x.example.com/v1, kind: T, name: t }
  status: { expectedMachines: 0, remediationsAllowed: 1 }
`;

it('MachineHealthCheck v1beta1 is converted to and from v1beta2 without an annotation', () => {
  const bodies = (text: string): object => ({
    ...(yaml(text) as object),
    metadata: { name: 'any', namespace: 'default' },
  });
  expect(toOld(STORED)).toMatchObject(bodies(OLD));
  // The template's namespace is that of the object, so only the conversion back needs it.
  expect(toStored(OLD)).toMatchObject(bodies(STORED));
});
