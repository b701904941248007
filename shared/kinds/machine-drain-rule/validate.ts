import { isDeepStrictEqual } from 'node:util';
import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateSelectorSyntax } from '../rules/kubernetes/label-selector.ts';
import type { MachineDrainRule, MachineDrainRuleSpec } from './schema.ts';

const validateOrder = ({ drain: { behavior, order } }: MachineDrainRuleSpec): FieldError[] =>
  behavior === 'Drain' || order === undefined
    ? []
    : [invalidValue('spec.drain.order', order, 'order must not be set if drain behavior is "Skip" or "WaitCompleted"')];

const validateUnique = (entries: readonly unknown[] = [], name: 'machines' | 'pods'): FieldError[] => {
  const isRepeated = entries.some((entry, index) =>
    entries.slice(0, index).some((before) => isDeepStrictEqual(before, entry)),
  );
  return isRepeated ? [invalidValue(`spec.${name}`, undefined, `entries in ${name} must be unique`)] : [];
};

/** Cluster API's rules (core/webhooks/admission/machinedrainrules.go, and the schema's own). */
export const validateMachineDrainRule = ({ spec }: MachineDrainRule): FieldError[] => [
  ...validateUnique(spec.machines, 'machines'),
  ...validateUnique(spec.pods, 'pods'),
  ...validateOrder(spec),
  ...(spec.machines ?? []).flatMap(({ selector, clusterSelector }, index) => [
    ...validateSelectorSyntax(selector, `spec.machines[${index}].selector`),
    ...validateSelectorSyntax(clusterSelector, `spec.machines[${index}].clusterSelector`),
  ]),
  ...(spec.pods ?? []).flatMap(({ selector, namespaceSelector }, index) => [
    ...validateSelectorSyntax(selector, `spec.pods[${index}].selector`),
    ...validateSelectorSyntax(namespaceSelector, `spec.pods[${index}].namespaceSelector`),
  ]),
];
