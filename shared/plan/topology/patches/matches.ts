import type { PatchSelector } from '../../../kinds/cluster-class/patch-schema.ts';
import { isObject } from '../../../kube-api/json.ts';
import {
  CLUSTER_CONTROL_PLANE,
  CLUSTER_INFRASTRUCTURE,
  type Holder,
  MACHINE_INFRASTRUCTURE,
  MACHINE_INFRASTRUCTURE_V1BETA1,
  type PatchItem,
  WORKER_BOOTSTRAP,
  WORKER_INFRASTRUCTURE,
} from './item.ts';
import type { Variables } from './variable-path.ts';

const isHolder = (a: Holder, b: Holder): boolean => a.kind === b.kind && a.fieldPath === b.fieldPath;

const isOfControlPlane = (holder: Holder): boolean =>
  isHolder(holder, CLUSTER_CONTROL_PLANE) ||
  holder.fieldPath === MACHINE_INFRASTRUCTURE ||
  holder.fieldPath === MACHINE_INFRASTRUCTURE_V1BETA1;

/** `*` matches any beginning or any end of a class's name. */
const namesClass = (pattern: string, name: string): boolean =>
  pattern === name ||
  (pattern.startsWith('*') && name.endsWith(pattern.slice(1))) ||
  (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1)));

const classOf = ({ builtin }: Variables, of: 'machineDeployment' | 'machinePool'): string | undefined => {
  const workers = isObject(builtin) ? builtin[of] : undefined;
  const name = isObject(workers) ? workers.class : undefined;
  return typeof name === 'string' ? name : undefined;
};

const isOfWorkers = (
  { holder, variables }: PatchItem,
  kind: 'MachineDeployment' | 'MachinePool',
  names: readonly string[] | undefined,
): boolean => {
  if (!names || holder.kind !== kind) return false;
  if (holder.fieldPath !== WORKER_BOOTSTRAP && holder.fieldPath !== WORKER_INFRASTRUCTURE) return false;
  const name = classOf(variables, kind === 'MachinePool' ? 'machinePool' : 'machineDeployment');
  return name !== undefined && names.some((pattern) => namesClass(pattern, name));
};

/** Whether a patch selects a template (core/reconcilers/topology/cluster/patches/inline/json_patch_generator.go). */
export const matches = (selector: PatchSelector, item: PatchItem): boolean => {
  const { apiVersion, kind, matchResources } = selector;
  if (item.object.apiVersion !== apiVersion || item.object.kind !== kind) return false;
  const { infrastructureCluster, controlPlane, machineDeploymentClass, machinePoolClass } = matchResources;
  return (
    (infrastructureCluster === true && isHolder(item.holder, CLUSTER_INFRASTRUCTURE)) ||
    (controlPlane === true && isOfControlPlane(item.holder)) ||
    isOfWorkers(item, 'MachineDeployment', machineDeploymentClass?.names) ||
    isOfWorkers(item, 'MachinePool', machinePoolClass?.names)
  );
};
