import { definitionsOf } from '../../../kinds/cluster-class/variables/discovered.ts';
import { PRESERVED } from '../desired/control-plane.ts';
import type { DesiredObjects } from '../desired/objects.ts';
import type { DesiredWorkers } from '../desired/workers.ts';
import { wrapping } from '../error.ts';
import type { HookSession } from '../hooks/session.ts';
import type { AnyObject, Blueprint, WorkerTemplates } from '../objects.ts';
import { applyPatches } from './apply-patches.ts';
import { clusterVariables, controlPlaneVariables, workersVariables } from './builtins.ts';
import {
  CLUSTER_CONTROL_PLANE,
  CLUSTER_INFRASTRUCTURE,
  MACHINE_INFRASTRUCTURE,
  MACHINE_INFRASTRUCTURE_V1BETA1,
  type PatchItem,
  WORKER_BOOTSTRAP,
  WORKER_INFRASTRUCTURE,
} from './item.ts';
import { mergeIntoObject, mergeIntoTemplate, patchableForObject, patchableForTemplate } from './merge-back.ts';
import type { Variables } from './variable-path.ts';

type Deployment = DesiredObjects['machineDeployments'][number];
type Pool = DesiredObjects['machinePools'][number];

/** A template, and the object that gets the result of its patches. */
interface Part {
  item: PatchItem;
  take(patched: PatchItem): void;
}

const workersParts = <T extends Deployment | Pool>(
  workers: T,
  templates: WorkerTemplates,
  kind: 'MachineDeployment' | 'MachinePool',
  variables: Variables,
  set: (changed: Partial<Pick<DesiredWorkers<unknown>, 'bootstrap' | 'infrastructure'>>) => void,
): Part[] => {
  const [prepare, merge] =
    kind === 'MachinePool' ? [patchableForObject, mergeIntoObject] : [patchableForTemplate, mergeIntoTemplate];
  return (['bootstrap', 'infrastructure'] as const).map((part) => ({
    item: {
      object: prepare(templates[part], workers[part]),
      holder: { kind, fieldPath: part === 'bootstrap' ? WORKER_BOOTSTRAP : WORKER_INFRASTRUCTURE },
      holderObject: workers.object,
      variables,
    },
    take: ({ object }) => set({ [part]: merge(workers[part], object) }),
  }));
};

const clusterParts = (blueprint: Blueprint, desired: DesiredObjects, result: DesiredObjects): Part[] => {
  const { controlPlane, machineInfrastructure: machines, infrastructureCluster } = desired;
  const variables = controlPlaneVariables(blueprint, controlPlane, machines);
  const fieldPath = blueprint.contract === 'v1beta1' ? MACHINE_INFRASTRUCTURE_V1BETA1 : MACHINE_INFRASTRUCTURE;
  const ofMachines = (template: AnyObject, copy: AnyObject): Part => ({
    item: {
      object: patchableForTemplate(template, copy),
      holder: { kind: controlPlane.kind, fieldPath },
      holderObject: controlPlane,
      variables,
    },
    take: ({ object }) => {
      result.machineInfrastructure = mergeIntoTemplate(copy, object);
    },
  });
  return [
    {
      item: {
        object: patchableForObject(blueprint.infrastructureCluster, infrastructureCluster),
        holder: CLUSTER_INFRASTRUCTURE,
        holderObject: desired.cluster,
        variables: {},
      },
      take: ({ object }) => {
        result.infrastructureCluster = mergeIntoObject(infrastructureCluster, object);
      },
    },
    {
      item: {
        object: patchableForObject(blueprint.controlPlane, controlPlane),
        holder: CLUSTER_CONTROL_PLANE,
        holderObject: desired.cluster,
        variables,
      },
      take: ({ object }) => {
        result.controlPlane = mergeIntoObject(controlPlane, object, PRESERVED);
      },
    },
    ...(machines && blueprint.machineInfrastructure ? [ofMachines(blueprint.machineInfrastructure, machines)] : []),
  ];
};

const partsOf = (blueprint: Blueprint, desired: DesiredObjects, result: DesiredObjects): Part[] => {
  const { machineDeployments = [], machinePools = [] } = blueprint.topology.workers ?? {};
  const deployments = desired.machineDeployments.flatMap((workers, index) => {
    const group = machineDeployments[index];
    const templates = group && blueprint.machineDeployments.get(group.class);
    if (!templates) return [];
    const variables = workersVariables(blueprint, 'machineDeployment', workers, group);
    return workersParts(workers, templates, 'MachineDeployment', variables, (changed) => {
      result.machineDeployments[index] = { ...(result.machineDeployments[index] ?? workers), ...changed };
    });
  });
  const pools = desired.machinePools.flatMap((workers, index) => {
    const group = machinePools[index];
    const templates = group && blueprint.machinePools.get(group.class);
    if (!templates) return [];
    const variables = workersVariables(blueprint, 'machinePool', workers, group);
    return workersParts(workers, templates, 'MachinePool', variables, (changed) => {
      result.machinePools[index] = { ...(result.machinePools[index] ?? workers), ...changed };
    });
  });
  return [...clusterParts(blueprint, desired, result), ...deployments, ...pools];
};

/** The objects with the patches of the class applied (patches/engine.go). Throws TopologyError and AnswerNeeded. */
export const patchTopology = (blueprint: Blueprint, desired: DesiredObjects, session: HookSession): DesiredObjects => {
  const { patches = [] } = blueprint.clusterClass.spec;
  if (patches.length === 0) return desired;
  const result: DesiredObjects = {
    ...desired,
    machineDeployments: [...desired.machineDeployments],
    machinePools: [...desired.machinePools],
  };
  const parts = partsOf(blueprint, desired, result);
  const items = parts.map(({ item }) => item);
  const defined = definitionsOf(blueprint.clusterClass);
  const patched = wrapping('failed to apply patches', () =>
    applyPatches(patches, items, clusterVariables(blueprint, desired.cluster), session, defined),
  );
  for (const [index, part] of parts.entries()) {
    const item = patched[index];
    if (item) part.take(item);
  }
  return result;
};
