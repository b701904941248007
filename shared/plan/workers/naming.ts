import type { MachineSet } from '../../kinds/index.ts';
import { type Naming, namingFault } from '../names.ts';

/** The set's own names for its machines, if it has a template for them. */
export const namingOf = ({ metadata, spec }: MachineSet): Naming | undefined => {
  const template = spec.machineNaming?.template;
  if (!template) return undefined;
  return { template, variables: { cluster: { name: spec.clusterName }, machineSet: { name: metadata.name } } };
};

/** Why the set's template gives no names; undefined if it does. */
export const namingFaultOf = (set: MachineSet): string | undefined =>
  namingFault(namingOf(set), set.metadata.uid ?? '');
