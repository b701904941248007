import { expect, it } from 'vitest';
import { conversionsOf, yaml } from '../../v1beta1/test-conversion.ts';
import { clusterClass } from '../definition.ts';

const { toStored, toOld } = conversionsOf(clusterClass);

const OLD = `
  spec:
    infrastructure: { ref: { apiVersion: x/v1, kind: I, name: i, namespace: default } }
    infrastructureNamingStrategy: { template: a }
    controlPlane:
      ref: { apiVersion: x/v1, kind: C, name: c, namespace: default }
      machineInfrastructure: { ref: { apiVersion: x/v1, kind: M, name: m, namespace: default } }
      machineHealthCheck: { maxUnhealthy: 33%, unhealthyConditions: [{ type: Ready, status: 'False', timeout: 5m0s }] }
      namingStrategy: { template: b }
      nodeDrainTimeout: 1m0s
    workers:
      machineDeployments:
        - class: w
          template:
            metadata: { labels: { a: b } }
            bootstrap: { ref: { apiVersion: x/v1, kind: B, name: b, namespace: default } }
            infrastructure: { ref: { apiVersion: x/v1, kind: M, name: m, namespace: default } }
          strategy: { type: OnDelete, rollingUpdate: { deletePolicy: Oldest }, remediation: { maxInFlight: 1 } }
    variables: [{ name: v, required: true, schema: { openAPIV3Schema: { type: string } }, metadata: { labels: { a: b } } }]
    patches: [{ name: p, external: { generateExtension: g, validateExtension: v } }]
`;

const STORED = `
  spec:
    infrastructure: { templateRef: { apiVersion: x/v1, kind: I, name: i }, naming: { template: a } }
    controlPlane:
      templateRef: { apiVersion: x/v1, kind: C, name: c }
      machineInfrastructure: { templateRef: { apiVersion: x/v1, kind: M, name: m } }
      healthCheck:
        checks: { unhealthyNodeConditions: [{ type: Ready, status: 'False', timeoutSeconds: 300 }] }
        remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 33% } }
      naming: { template: b }
      deletion: { nodeDrainTimeoutSeconds: 60 }
    workers:
      machineDeployments:
        - class: w
          metadata: { labels: { a: b } }
          bootstrap: { templateRef: { apiVersion: x/v1, kind: B, name: b } }
          infrastructure: { templateRef: { apiVersion: x/v1, kind: M, name: m } }
          rollout: { strategy: { type: OnDelete } }
          deletion: { order: Oldest }
          healthCheck: { remediation: { maxInFlight: 1 } }
    variables:
      - name: v
        required: true
        schema: { openAPIV3Schema: { type: string } }
        deprecatedV1Beta1Metadata: { labels: { a: b } }
    patches: [{ name: p, external: { generatePatchesExtension: g, validateTopologyExtension: v } }]
`;

it('ClusterClass v1beta1 is converted to and from v1beta2 without an annotation', () => {
  const bare = { name: 'any', namespace: 'default' };
  expect(toStored(OLD)).toMatchObject({ ...(yaml(STORED) as object), metadata: bare });
  expect(toOld(STORED)).toMatchObject({ ...(yaml(OLD) as object), metadata: bare });
  expect([toStored(OLD).metadata, toOld(STORED).metadata]).toEqual([bare, bare]);
});
