import * as z from 'zod';
import { LONGEST_LEGACY_MESSAGE, LONGEST_MESSAGE } from '../../kube-api/condition-message.ts';
import { int64, keyedList, list, options, someOf, struct, text, textMap, time } from './fields.ts';
import { KIND, QUALIFIED_NAME, SUBDOMAIN } from './names.ts';

/** metav1.Condition. */
const condition = struct(
  {
    type: text(0, 316, QUALIFIED_NAME),
    status: z.enum(['True', 'False', 'Unknown']),
    lastTransitionTime: time,
    reason: text(1, 1024, '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$'),
    message: z.string().max(LONGEST_MESSAGE),
  },
  { observedGeneration: int64({ min: 0 }) },
);

export const conditions = keyedList(['type'], condition, { max: 32 });

/** The condition of Cluster API v1beta1, with a severity, which the AWS kinds still report. */
export const legacyCondition = struct(
  { type: text(1, 256), status: z.string(), lastTransitionTime: time },
  { severity: z.string().max(32), reason: text(1, 256), message: text(1, LONGEST_LEGACY_MESSAGE) },
);

export const legacyConditions = list(legacyCondition);

/** The labels and annotations in a template for objects that are created from it. */
export const templateMeta = options({ labels: textMap, annotations: textMap });
export const someTemplateMeta = someOf({ labels: textMap, annotations: textMap });

/** A reference within the namespace, without version: Cluster API's ContractVersionedObjectReference. */
export const objectRef = struct(
  { apiGroup: text(1, 253, SUBDOMAIN), kind: text(1, 63, KIND), name: text(1, 253, SUBDOMAIN) },
  {},
);

const labelSelectorRequirement = struct({ key: z.string(), operator: z.string() }, { values: list(z.string()) });

const atomic = { 'x-kubernetes-map-type': 'atomic' } as const;

/** metav1.LabelSelector. */
export const labelSelector = options({
  matchLabels: textMap,
  matchExpressions: list(labelSelectorRequirement),
}).meta(atomic);

/** A selector that defaulting completes. `matchLabels: null`, which exists in some templates, counts as empty. */
export const completedSelector = options({
  matchLabels: textMap.default({}),
  matchExpressions: list(labelSelectorRequirement),
}).meta(atomic);

/** A version that some machines run, and how many. */
export const statusVersion = struct({ version: text(1, 256) }, { replicas: z.int().min(1).meta({ format: 'int32' }) });

/** The versions of machines: a keyed list in sets of machines, and a plain list in the Cluster. */
export const machineVersions = keyedList(['version'], statusVersion, { min: 1, max: 100 });

const polarity = z.enum(['Positive', 'Negative']);

/** A condition that must be True for a machine to be Ready, or for a cluster to be Available. */
export const conditionGate = struct({ conditionType: text(1, 316, QUALIFIED_NAME) }, { polarity });

export const readinessGates = keyedList(['conditionType'], conditionGate, { min: 1, max: 32 });

const machineAddress = struct(
  {
    type: z.enum(['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS']),
    address: text(1, 256),
  },
  {},
);

export const machineAddresses = list(machineAddress);

export type LegacyCondition = z.input<typeof legacyCondition>;
export type TemplateMeta = z.input<typeof templateMeta>;
export type LabelSelector = z.input<typeof labelSelector>;
