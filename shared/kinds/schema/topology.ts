import { anyJson, flag, int32, keyedList, list, someOf, struct, text, time } from './fields.ts';
import { healthCheck, workerHealthCheck } from './health-check.ts';
import { machineDeletion, machineTaints, orderedMachineDeletion, statedStrategy } from './machine-parts.ts';
import { readinessGates, someTemplateMeta } from './meta.ts';
import { LABEL, SUBDOMAIN } from './names.ts';

/** `Cluster.spec.topology`: a cluster that is created from a ClusterClass. */

const variables = keyedList(['name'], struct({ name: text(1, 256), value: anyJson }, {}), { min: 1, max: 1000 });

const overrides = someOf({ overrides: variables });

const controlPlane = someOf({
  metadata: someTemplateMeta,
  replicas: int32(),
  rollout: someOf({ after: time }),
  healthCheck: someOf({ enabled: flag, ...healthCheck }),
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
    healthCheck: someOf({ enabled: flag, ...workerHealthCheck }),
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
