import type { MachineSet } from '../../kinds/index.ts';
import { NameTemplateError } from '../../kinds/rules/name-template.ts';
import { type Naming, templatedName } from '../names.ts';

/** The set's own names for its machines, if it has a template for them. */
export const namingOf = ({ metadata, spec }: MachineSet): Naming | undefined => {
  const template = spec.machineNaming?.template;
  if (!template) return undefined;
  return { template, variables: { cluster: { name: spec.clusterName }, machineSet: { name: metadata.name } } };
};

/**
 * Why the set's template gives no names, in upstream's words; undefined where it does. Admission has tried it with sample
 * names, and it may say something else about those of this set.
 */
export const namingFault = (set: MachineSet): string | undefined => {
  const naming = namingOf(set);
  try {
    if (naming) templatedName(naming, set.metadata.uid ?? '');
    return undefined;
  } catch (error) {
    if (error instanceof NameTemplateError) return `failed to generate Machine name: ${error.message}`;
    throw error;
  }
};
