import type { StatusVariable } from '../../../kinds/cluster-class/variable-schema.ts';
import type { Variables } from './variable-path.ts';

/** The variables of a class, with their definers. */
export type DefinedVariables = readonly StatusVariable[];

/** The names of the variables that a patch defines (definitionsForPatch in core/reconcilers/topology/cluster/patches). */
export const definedBy = (variables: DefinedVariables, patch: string): ReadonlySet<string> =>
  new Set(
    variables.filter(({ definitions }) => definitions.some(({ from }) => from === patch)).map(({ name }) => name),
  );

/** The variables that inline patches get, without those that extensions define. */
export const inlineOf = (variables: Variables, defined: DefinedVariables): Variables => {
  const inline = definedBy(defined, 'inline');
  const foreign = new Set(defined.map(({ name }) => name).filter((name) => !inline.has(name)));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !foreign.has(name)));
};
