import type { ControlPlane } from '../../shared/kinds/contract-objects.ts';
import type { Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';

/** Whether `object` is controlled by `owner`. */
export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  object.metadata.ownerReferences?.some((o) => o.controller === true && o.uid === owner.metadata.uid) === true;

/** Whether a Machine other than this one controls an object that both refer to. */
export const isOfAnotherMachine = ({ metadata }: KubeObject, machine: Machine): boolean =>
  metadata.ownerReferences?.some(
    ({ controller, kind, uid }) => controller === true && kind === 'Machine' && uid !== machine.metadata.uid,
  ) === true;

/** The machines that the control plane owns. */
export const controlPlaneMachines = ({
  controlPlane,
  machines,
}: {
  controlPlane: ControlPlane | null;
  machines: readonly Machine[];
}): Machine[] => (controlPlane ? machines.filter((machine) => isControlledBy(machine, controlPlane)) : []);
