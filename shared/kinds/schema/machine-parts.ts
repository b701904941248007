import * as z from 'zod';
import { flag, int32, intOrString, keyedList, options, someOf, struct, text, textMap, time } from './fields.ts';
import {
  completedSelector,
  conditions,
  type LabelSelector,
  legacyConditions,
  machineVersions,
  objectRef,
  readinessGates,
  templateMeta,
} from './meta.ts';

const TAINT_KEY =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$';
const TAINT_VALUE = '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$';

/** A taint that Cluster API keeps on the node of a machine. */
const machineTaint = struct(
  {
    key: text(1, 317, TAINT_KEY),
    effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
    propagation: z.enum(['Always', 'OnInitialization']),
  },
  { value: text(1, 63, TAINT_VALUE) },
);

export const machineTaints = keyedList(['key', 'effect'], machineTaint, { min: 1, max: 64 });

const deletionTimeouts = {
  nodeDrainTimeoutSeconds: int32({ min: 0 }),
  nodeVolumeDetachTimeoutSeconds: int32({ min: 0 }),
  nodeDeletionTimeoutSeconds: int32({ min: 0 }),
};

/** How long the deletion of a machine waits for its node; 0 waits forever. */
export const machineDeletion = someOf(deletionTimeouts);

const deletionOrder = z.enum(['Random', 'Newest', 'Oldest']);

/** Which machines of a set are deleted first when it shrinks. */
const setDeletion = someOf({ order: deletionOrder });

/** Both together: the form of `spec.topology`. */
export const orderedMachineDeletion = someOf({ order: deletionOrder, ...deletionTimeouts });

export const machineNaming = someOf({ template: text(1, 256) });

export const machineSpec = struct(
  {
    clusterName: text(1, 63),
    bootstrap: options({ configRef: objectRef, dataSecretName: text(0, 253) }),
    infrastructureRef: objectRef,
  },
  {
    version: text(1, 256),
    providerID: text(1, 512),
    failureDomain: text(1, 256),
    minReadySeconds: int32({ min: 0 }),
    readinessGates,
    deletion: machineDeletion,
    taints: machineTaints,
  },
);

/** The machine that a set or a deployment creates: `spec.template`. */
export const machineTemplate = struct({ spec: machineSpec }, { metadata: templateMeta });

const strategyType = z.enum(['RollingUpdate', 'OnDelete']);

/** The strategy in the form of a topology. */
export const statedStrategy = struct(
  { type: strategyType },
  { rollingUpdate: someOf({ maxUnavailable: intOrString, maxSurge: intOrString }) },
).meta({ minProperties: 1 });

/** Defaulting completes it, so that any part may be left out or empty. */
export const rollout = options({
  after: time,
  strategy: options({
    type: strategyType.default('RollingUpdate'),
    rollingUpdate: options({ maxUnavailable: intOrString, maxSurge: intOrString }),
  }),
});

/** The counters that KubeadmControlPlane, MachineDeployment and MachineSet share. */
export const replicaStatus = {
  conditions,
  selector: text(1, 4096),
  replicas: int32(),
  readyReplicas: int32(),
  availableReplicas: int32(),
  upToDateReplicas: int32(),
  versions: machineVersions,
};

/** `status.deprecated`: v1beta1's status, with fields that only v1beta1 had. */
export const deprecatedStatus = <O extends z.ZodRawShape>(fields: O) =>
  options({ v1beta1: options({ conditions: legacyConditions, ...fields }) });

/** v1beta1's terminal failures, which are never set any more. */
export const failure = { failureReason: z.string(), failureMessage: text(1, 10240) };

/** The fields that MachineSet and MachineDeployment share. */
export const machineOwner = {
  required: { clusterName: text(1, 63), selector: completedSelector.default({}), template: machineTemplate },
  optional: { replicas: int32(), machineNaming, deletion: setDeletion },
};

export const failureDomains = keyedList(
  ['name'],
  struct({ name: text(1, 256) }, { controlPlane: flag, attributes: textMap }),
  { min: 1, max: 100 },
);

export type MachineTaint = z.input<typeof machineTaint>;
export type MachineSpec = z.input<typeof machineSpec>;

/** Defaulting gives every owner of machines a selector. */
export type WithSelector<T extends { selector?: LabelSelector }> = T & { selector: LabelSelector };
