import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { int32, int64, keyedList, list, someOf, struct, text } from '../schema/fields.ts';
import { healthCheck, templateRef, workerHealthCheck } from '../schema/health-check.ts';
import {
  deprecatedStatus,
  machineDeletion,
  machineTaints,
  orderedMachineDeletion,
  statedStrategy,
} from '../schema/machine-parts.ts';
import { conditionGate, conditions, readinessGates, someTemplateMeta } from '../schema/meta.ts';
import { patches } from './patch-schema.ts';
import { statusVariables, variables } from './variable-schema.ts';

const template = struct({ templateRef }, {});

const naming = someOf({ template: text(1, 1024) });

const controlPlane = struct(
  { templateRef },
  {
    metadata: someTemplateMeta,
    machineInfrastructure: template,
    healthCheck: someOf(healthCheck),
    naming,
    deletion: machineDeletion,
    taints: machineTaints,
    readinessGates,
  },
);

const workers = { class: text(1, 256), bootstrap: template, infrastructure: template };

const machineDeploymentClass = struct(workers, {
  metadata: someTemplateMeta,
  healthCheck: someOf(workerHealthCheck),
  failureDomain: text(1, 256),
  naming,
  deletion: orderedMachineDeletion,
  taints: machineTaints,
  minReadySeconds: int32({ min: 0 }),
  readinessGates,
  rollout: someOf({ strategy: statedStrategy }),
});

const machinePoolClass = struct(workers, {
  metadata: someTemplateMeta,
  failureDomains: list(text(1, 256), { max: 100 }),
  naming,
  deletion: machineDeletion,
  taints: machineTaints,
  minReadySeconds: int32({ min: 0 }),
});

const spec = struct(
  { infrastructure: struct({ templateRef }, { naming }), controlPlane },
  {
    availabilityGates: keyedList(['conditionType'], conditionGate, { min: 1, max: 32 }),
    workers: someOf({
      machineDeployments: keyedList(['class'], machineDeploymentClass, { min: 1, max: 100 }),
      machinePools: keyedList(['class'], machinePoolClass, { min: 1, max: 100 }),
    }),
    variables,
    patches,
    upgrade: someOf({ external: someOf({ generateUpgradePlanExtension: text(1, 512) }) }),
    kubernetesVersions: list(text(1, 256), { min: 1, max: 100 }),
  },
);

const status = someOf({
  conditions,
  variables: statusVariables,
  observedGeneration: int64({ min: 1 }),
  deprecated: deprecatedStatus({}),
});

export const clusterClassSchema = struct({ spec }, { status });

export type ClusterClassSpec = z.input<typeof spec>;
export type MachineDeploymentClass = z.input<typeof machineDeploymentClass>;
export type MachinePoolClass = z.input<typeof machinePoolClass>;

/** The common parts of the clusters of a class. */
export interface ClusterClass extends KubeObject {
  spec: ClusterClassSpec;
  status?: z.input<typeof status>;
}
