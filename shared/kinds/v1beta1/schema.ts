import * as z from 'zod';
import { int32, keyedList, options, struct, text } from '../schema/fields.ts';
import { machineTaints } from '../schema/machine-parts.ts';
import { conditionGate, conditions, legacyConditions, machineVersions } from '../schema/meta.ts';
import { DURATION } from './duration.ts';

/**
 * Schemas that the v1beta1 kinds share. They are functions, because nothing of an old version is created before it is
 * needed.
 */

export const duration = () => z.string().regex(new RegExp(DURATION));

/** core/v1 ObjectReference. */
export const reference = () => {
  const text = z.string();
  const known = { apiVersion: text, kind: text, name: text, namespace: text, uid: text, resourceVersion: text };
  return options({ ...known, fieldPath: text }).meta({ 'x-kubernetes-map-type': 'atomic' });
};

export const deletionTimeouts = () => ({
  nodeDrainTimeout: duration(),
  nodeVolumeDetachTimeout: duration(),
  nodeDeletionTimeout: duration(),
});

/** May be empty, which v1beta2 refuses. */
export const readinessGates = () => keyedList(['conditionType'], conditionGate, { max: 32 });

export const naming = () => options({ template: text(1, 256) });

export const machineSpec = () =>
  struct(
    {
      clusterName: text(1, 63),
      bootstrap: options({ configRef: reference(), dataSecretName: text(0, 253) }),
      infrastructureRef: reference(),
    },
    {
      version: text(1, 256),
      providerID: text(1, 512),
      failureDomain: text(1, 256),
      readinessGates: readinessGates(),
      taints: machineTaints,
      ...deletionTimeouts(),
    },
  );

/** Conditions of the old form, and under `v1beta2` those of the new form with its other additions. */
export const conditionStatus = <O extends z.ZodRawShape>(newer: O) => ({
  conditions: legacyConditions,
  v1beta2: options({ conditions, ...newer }),
});

export const failures = () => ({ failureReason: z.string(), failureMessage: text(1, 10240) });

/** The counters of a set of machines, in the old meaning and in the new one. */
export const replicaStatus = () => ({
  ...conditionStatus({ readyReplicas: int32(), availableReplicas: int32(), upToDateReplicas: int32() }),
  selector: text(1, 4096),
  replicas: int32(),
  readyReplicas: int32(),
  versions: machineVersions,
});
