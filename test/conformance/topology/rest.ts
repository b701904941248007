/** Checks whether anything in a managed cluster is still changing. */
import { isDeepStrictEqual } from 'node:util';
import type { State } from './state.ts';
import type { Any } from './story.ts';

const isTrue = ({ status }: Any, type: string): boolean =>
  status?.conditions?.find((it: Any) => it.type === type)?.status === 'True';

/** Whether a control plane or a group of workers has exactly the machines that it requires. */
const hasItsMachines = ({ metadata, spec, status }: Any): boolean =>
  status?.observedGeneration === metadata.generation &&
  (status.replicas ?? 0) === (spec.replicas ?? 1) &&
  (status.upToDateReplicas ?? 0) === (status.replicas ?? 0);

/** Whether the topology of the current generation was reconciled, with the reason `reason`. */
export const isTopologyAtRest = ({ metadata: { generation }, status }: Any, reason: string): boolean => {
  const found = status?.conditions?.find(({ type }: Any) => type === 'TopologyReconciled');
  return found?.reason === reason && found.observedGeneration === generation;
};

/**
 * Whether the Cluster reports that no machine is being created or replaced. This reads one object instead of ten lists.
 */
export const isClusterAtRest = (cluster: Any): boolean => {
  const busy = ['RollingOut', 'ScalingUp', 'ScalingDown'].some((type) => isTrue(cluster, type));
  return cluster.status?.observedGeneration === cluster.metadata.generation && isTrue(cluster, 'Available') && !busy;
};

/** The parts of a template whose change replaces machines. */
const replacing = ({ version, failureDomain, bootstrap, infrastructureRef }: Any): unknown[] => [
  version,
  failureDomain,
  bootstrap?.configRef?.name,
  infrastructureRef?.name,
];

/** Whether the sets want this many machines in total, and have them. */
const have = (sets: readonly Any[], replicas: number): boolean =>
  [sets.map(({ spec }) => spec.replicas ?? 1), sets.map(({ status }) => status?.replicas ?? 0)].every(
    (counts) => counts.reduce((sum, count) => sum + count, 0) === replicas,
  );

/**
 * Whether all machines of a group have its current template. The group's status is not sufficient: it counts machines
 * that report to be up to date, and for a moment they still report this about the previous template.
 */
const isRolledOut = ({ kind, metadata, spec }: Any, machineSets: readonly Any[]): boolean => {
  if (kind !== 'MachineDeployment') return true;
  const isCurrent = (set: Any) => isDeepStrictEqual(replacing(set.spec.template.spec), replacing(spec.template.spec));
  const sets = machineSets.filter((set) => set.metadata.ownerReferences?.some(({ uid }: Any) => uid === metadata.uid));
  const [current, others] = [sets.filter(isCurrent), sets.filter((set) => !isCurrent(set))];
  return have(current, spec.replicas ?? 1) && have(others, 0);
};

/** Whether all machines are in their desired state. */
export const areMachinesAtRest = ({ cluster, owners, machineSets }: State): boolean =>
  isClusterAtRest(cluster) && owners.every((owner) => hasItsMachines(owner) && isRolledOut(owner, machineSets));
