import type { FieldError } from '../../../kube-api/resource.ts';
import { Work } from '../../../kube-api/work.ts';
import type { Topology } from '../../cluster/schema.ts';
import type { StatusVariable } from '../variable-schema.ts';
import { defaultVariables } from './default-values.ts';
import type { VariableValue } from './definitions.ts';
import { validateVariables } from './validate-values.ts';

const FIELD = 'spec.topology';

type Workers = NonNullable<Topology['workers']>;
type Group = NonNullable<Workers['machineDeployments']>[number] | NonNullable<Workers['machinePools']>[number];

interface Defaulted<T> {
  value: T;
  errors: FieldError[];
}

const overridesOf = (
  holder: { variables?: { overrides?: readonly VariableValue[] | undefined } | undefined } | undefined,
) => holder?.variables?.overrides ?? [];

/** Overrides with their defaults. An object without overrides is left unchanged. */
const withOverrides = <T extends Group | NonNullable<Topology['controlPlane']>>(
  holder: T,
  definitions: readonly StatusVariable[],
  field: string,
): Defaulted<T> => {
  const given = overridesOf(holder);
  if (given.length === 0) return { value: holder, errors: [] };
  const { values, errors } = defaultVariables(given, definitions, `${field}.variables.overrides`, { creates: false });
  if (errors.length > 0) return { value: holder, errors };
  return { value: { ...holder, variables: { ...holder.variables, overrides: values } }, errors };
};

const defaultGroups = <T extends Group>(
  groups: readonly T[] | undefined,
  definitions: readonly StatusVariable[],
  field: string,
): Defaulted<{ groups: T[] | undefined }> => {
  const defaulted = groups?.map((group) => withOverrides(group, definitions, `${field}[${group.name}]`));
  return {
    value: { groups: defaulted?.map(({ value }) => value) },
    errors: defaulted?.flatMap(({ errors }) => errors) ?? [],
  };
};

const defaultWorkers = (workers: Workers, definitions: readonly StatusVariable[]): Defaulted<Workers> => {
  const deployments = defaultGroups(workers.machineDeployments, definitions, `${FIELD}.workers.machineDeployments`);
  const pools = defaultGroups(workers.machinePools, definitions, `${FIELD}.workers.machinePools`);
  return {
    value: {
      ...workers,
      ...(deployments.value.groups ? { machineDeployments: deployments.value.groups } : {}),
      ...(pools.value.groups ? { machinePools: pools.value.groups } : {}),
    },
    errors: [...deployments.errors, ...pools.errors],
  };
};

/** A topology with the defaults of the variables that its class defines (DefaultVariables in core/webhooks/admission). */
export const defaultTopologyVariables = (
  topology: Topology,
  definitions: readonly StatusVariable[],
): Defaulted<Topology> => {
  const own = defaultVariables(topology.variables ?? [], definitions, `${FIELD}.variables`, { creates: true });
  const controlPlane =
    topology.controlPlane && withOverrides(topology.controlPlane, definitions, `${FIELD}.controlPlane`);
  const workers = topology.workers && defaultWorkers(topology.workers, definitions);
  return {
    value: {
      ...topology,
      ...(own.errors.length === 0 && own.values.length > 0 ? { variables: own.values } : {}),
      ...(controlPlane ? { controlPlane: controlPlane.value } : {}),
      ...(workers ? { workers: workers.value } : {}),
    },
    errors: [...own.errors, ...(controlPlane?.errors ?? []), ...(workers?.errors ?? [])],
  };
};

const validateGroups = (
  groups: readonly Group[] = [],
  old: readonly Group[] = [],
  definitions: readonly StatusVariable[],
  field: string,
  work: Work,
): FieldError[] =>
  groups.flatMap((group) => {
    const before = old.find(({ name }) => name === group.name);
    const at = `${field}[${group.name}].variables.overrides`;
    return validateVariables(overridesOf(group), overridesOf(before), definitions, at, { isCluster: false, work });
  });

/**
 * Errors of the variables of a topology against the definitions of its class; `old`: the topology before an update, for
 * rules about transitions (DefaultAndValidateVariables in core/webhooks/admission).
 */
export const validateTopologyVariables = (
  topology: Topology,
  old: Topology | undefined,
  definitions: readonly StatusVariable[],
): FieldError[] => {
  const { variables = [], controlPlane, workers } = topology;
  const ofControlPlane = `${FIELD}.controlPlane.variables.overrides`;
  const before = overridesOf(old?.controlPlane);
  const work = new Work();
  return [
    ...validateVariables(variables, old?.variables ?? [], definitions, `${FIELD}.variables`, { isCluster: true, work }),
    ...validateVariables(overridesOf(controlPlane), before, definitions, ofControlPlane, { isCluster: false, work }),
    ...validateGroups(
      workers?.machineDeployments,
      old?.workers?.machineDeployments,
      definitions,
      `${FIELD}.workers.machineDeployments`,
      work,
    ),
    ...validateGroups(
      workers?.machinePools,
      old?.workers?.machinePools,
      definitions,
      `${FIELD}.workers.machinePools`,
      work,
    ),
  ];
};
