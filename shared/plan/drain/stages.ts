import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Cluster, Machine } from '../../kinds/index.ts';
import type { InfrastructureMachine } from '../../kinds/infrastructure.ts';
import { isNoticeOver } from '../instance-events/notice.ts';
import { LABEL } from '../labels.ts';
import { copiesIn } from '../machines/copies.ts';
import { CONTROL_PLANE_HOOKS, EXCLUDE_DRAIN, EXCLUDE_VOLUMES, PRE_DRAIN_HOOK, PRE_TERMINATE_HOOK } from './names.ts';

/** The stages of a machine's deletion, by Cluster API's rules (machine_controller.go, reconcileDelete). */

/** The hooks that block a stage: the annotations whose key begins with the prefix, sorted. */
const hooksOf = ({ metadata }: Machine, prefix: string): string[] =>
  Object.keys(metadata.annotations ?? {})
    .filter((key) => key.startsWith(prefix) && !CONTROL_PLANE_HOOKS.includes(key))
    .sort();

/** The hooks that must finish before the machine's node is drained. */
export const preDrainHooks = (machine: Machine): string[] => hooksOf(machine, PRE_DRAIN_HOOK);

/** The hooks that must finish before the machine is terminated. */
export const preTerminateHooks = (machine: Machine): string[] => hooksOf(machine, PRE_TERMINATE_HOOK);

/** The facts that determine whether the machine's node still matters. */
export interface Surroundings {
  cluster: Cluster | null;
  controlPlane: ControlPlane | null;
  /** All machines of the cluster. */
  machines: readonly Machine[];
}

const isActiveControlPlane = ({ metadata }: Machine): boolean =>
  LABEL.controlPlane in (metadata.labels ?? {}) && !metadata.deletionTimestamp;

/**
 * Whether the machine's node is drained and deleted at all. It is not if the complete cluster or control plane is
 * deleted, if there is no node, if the node belongs to another machine, or if no control plane machine remains, unless
 * the control plane needs none.
 */
export const isNodeDeletionAllowed = (
  { status, metadata }: Machine,
  { cluster, controlPlane, machines }: Surroundings,
): boolean =>
  status?.nodeRef !== undefined &&
  !copiesIn(machines).has(metadata.uid ?? '') &&
  cluster !== null &&
  !cluster.metadata.deletionTimestamp &&
  !controlPlane?.metadata.deletionTimestamp &&
  (controlPlane?.status?.externalManagedControlPlane === true || machines.some(isActiveControlPlane));

const isOver = (since: string | undefined, seconds: number | undefined, now: Date): boolean =>
  since !== undefined && seconds !== undefined && seconds > 0 && now.getTime() - Date.parse(since) >= seconds * 1000;

/** Neither is awaited once the machine has reached its last hooks or its infrastructure is being deleted. */
const isStillOwn = ({ status }: Machine, infrastructure: InfrastructureMachine | null): boolean =>
  status?.deletion?.waitForPreTerminateHookStartTime === undefined &&
  infrastructure !== null &&
  !infrastructure.metadata.deletionTimestamp;

/**
 * Whether the node is (still) drained: it is not excluded, and neither `nodeDrainTimeoutSeconds` nor the time that the
 * cloud leaves the instance is over.
 */
export const isDrainWanted = (machine: Machine, infrastructure: InfrastructureMachine | null, now: Date): boolean =>
  !(EXCLUDE_DRAIN in (machine.metadata.annotations ?? {})) &&
  !isNoticeOver(machine, now) &&
  isStillOwn(machine, infrastructure) &&
  !isOver(machine.status?.deletion?.nodeDrainStartTime, machine.spec.deletion?.nodeDrainTimeoutSeconds, now);

/** Whether volumes are (still) awaited: by the same rules as a drain, with `nodeVolumeDetachTimeoutSeconds`. */
export const isDetachWanted = (machine: Machine, infrastructure: InfrastructureMachine | null, now: Date): boolean =>
  !(EXCLUDE_VOLUMES in (machine.metadata.annotations ?? {})) &&
  !isNoticeOver(machine, now) &&
  isStillOwn(machine, infrastructure) &&
  !isOver(
    machine.status?.deletion?.waitForNodeVolumeDetachStartTime,
    machine.spec.deletion?.nodeVolumeDetachTimeoutSeconds,
    now,
  );
