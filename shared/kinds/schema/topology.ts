import * as z from 'zod';
import { anyJson, flag, int32, intOrString, keyedList, list, someOf, struct, text, time } from './fields.ts';
import { machineDeletion, machineTaints, orderedMachineDeletion, statedStrategy } from './machine-parts.ts';
import { readinessGates, someTemplateMeta } from './meta.ts';
import { KIND, LABEL, QUALIFIED_NAME, SUBDOMAIN } from './names.ts';

/** `Cluster.spec.topology`: a cluster from a ClusterClass. Kept as given; this version does not act on it. */

const variables = keyedList(['name'], struct({ name: text(1, 256), value: anyJson }, {}), { min: 1, max: 1000 });

const overrides = someOf({ overrides: variables });

const unhealthyNodeConditions = list(
  struct({ type: z.string().min(1), status: z.string().min(1), timeoutSeconds: int32({ min: 0 }) }, {}),
  { min: 1, max: 100 },
);

const unhealthyMachineConditions = list(
  struct(
    {
      type: text(1, 316, QUALIFIED_NAME),
      status: z.enum(['True', 'False', 'Unknown']),
      timeoutSeconds: int32({ min: 0 }),
    },
    {},
  ),
  { min: 1, max: 100 },
);

const remediationTemplateRef = struct(
  {
    apiVersion: text(
      1,
      317,
      '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/[a-z]([-a-z0-9]*[a-z0-9])?$',
    ),
    kind: text(1, 63, KIND),
    name: text(1, 253, SUBDOMAIN),
  },
  {},
);

const remediation = {
  triggerIf: someOf({
    unhealthyLessThanOrEqualTo: intOrString,
    unhealthyInRange: text(1, 32, '^\\[[0-9]+-[0-9]+\\]$'),
  }),
  templateRef: remediationTemplateRef,
};

const checks = someOf({
  nodeStartupTimeoutSeconds: int32({ min: 0 }),
  unhealthyNodeConditions,
  unhealthyMachineConditions,
});

const controlPlane = someOf({
  metadata: someTemplateMeta,
  replicas: int32(),
  rollout: someOf({ after: time }),
  healthCheck: someOf({ enabled: flag, checks, remediation: someOf(remediation) }),
  deletion: machineDeletion,
  taints: machineTaints,
  readinessGates,
  variables: overrides,
});

const machineDeployment = struct(
  { class: text(1, 256), name: text(1, 63, SUBDOMAIN) },
  {
    metadata: someTemplateMeta,
    failureDomain: text(1, 256),
    replicas: int32(),
    healthCheck: someOf({ enabled: flag, checks, remediation: someOf({ maxInFlight: intOrString, ...remediation }) }),
    deletion: orderedMachineDeletion,
    taints: machineTaints,
    minReadySeconds: int32({ min: 0 }),
    readinessGates,
    rollout: someOf({ after: time, strategy: statedStrategy }),
    variables: overrides,
  },
);

const machinePool = struct(
  { class: text(1, 256), name: text(1, 63, SUBDOMAIN) },
  {
    metadata: someTemplateMeta,
    failureDomains: list(text(1, 256), { min: 1, max: 100 }),
    deletion: machineDeletion,
    taints: machineTaints,
    minReadySeconds: int32({ min: 0 }),
    replicas: int32(),
    variables: overrides,
  },
);

export const topology = struct(
  { classRef: struct({ name: text(1, 253, SUBDOMAIN) }, { namespace: text(1, 63, LABEL) }), version: text(1, 256) },
  {
    controlPlane,
    workers: someOf({
      machineDeployments: keyedList(['name'], machineDeployment, { min: 1, max: 2000 }),
      machinePools: keyedList(['name'], machinePool, { min: 1, max: 2000 }),
    }),
    variables,
  },
);
