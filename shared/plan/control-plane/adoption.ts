import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Machine } from '../../kinds/index.ts';
import { type Reference, refersTo } from '../../kinds/reference.ts';
import { type KubernetesVersion, parseTolerantly } from '../../kinds/rules/bootstrap/version.ts';
import type { KubeObject, OwnerReference } from '../../kube-api/object.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { isControlPlaneMachine } from '../labels.ts';
import { isOlder } from '../machines/copies.ts';
import { controllerReference, withOwner } from '../machines/desired.ts';
import { isNamedBy } from '../machines/ownership.ts';

export interface ControlPlaneAdoptionFacts {
  /** Must not be paused or being deleted. */
  controlPlane: ControlPlane;
  /**
   * The kind of configurations whose machines may be adopted; undefined if the control plane may only adopt its former
   * machines.
   */
  adopts: Pick<ResourceDefinition, 'group' | 'kind'> | undefined;
  /** All machines of its cluster. */
  machines: readonly Machine[];
}

export interface ControlPlaneAdoption {
  /** Machines of which the control plane becomes the controller, sorted by name; empty if one must not be adopted. */
  adopt: readonly Machine[];
  /** Why a machine of the cluster's control plane stays without this controller; nothing may be changed then. */
  refused?: string;
}

const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller);

const placeOf = ({ apiGroup = '', kind = '', name = '' }: Reference): string => `${apiGroup}/${kind}/${name}`;

/** The parts of a machine that no other machine of the cluster may have. */
const partsOf = ({ spec: { providerID, infrastructureRef, bootstrap } }: Machine): string[] => [
  placeOf(infrastructureRef),
  ...(bootstrap.configRef ? [placeOf(bootstrap.configRef)] : []),
  ...(providerID ? [providerID] : []),
];

/** Of machines with common parts, one that has a controller is the original; otherwise the oldest is. */
const isOriginal = (one: Machine, other: Machine): boolean => {
  const [controlled, otherwise] = [controllerOf(one) !== undefined, controllerOf(other) !== undefined];
  return controlled === otherwise ? isOlder(one, other) : controlled;
};

const originals = (machines: readonly Machine[]): ReadonlyMap<string, Machine> => {
  const found = new Map<string, Machine>();
  for (const machine of machines)
    for (const part of partsOf(machine)) {
      const known = found.get(part);
      if (!known || isOriginal(machine, known)) found.set(part, machine);
    }
  return found;
};

const isSupportedSkew = (a: KubernetesVersion, b: KubernetesVersion): boolean =>
  a.major === b.major && Math.abs(a.minor - b.minor) <= 1;

/** Why a machine without a controller must not be adopted; undefined if it may be. */
const refusalOf = ({ spec }: Machine, { controlPlane, adopts }: ControlPlaneAdoptionFacts): string | undefined => {
  const { kind } = controlPlane;
  if (!adopts) return `it has no controller, and a ${kind} adopts no Machines`;
  if (!refersTo(adopts, spec.bootstrap.configRef)) return `its spec.bootstrap.configRef names no ${adopts.kind}`;
  if (!spec.version) return undefined;
  const [own, other] = [parseTolerantly(controlPlane.spec.version), parseTolerantly(spec.version)];
  if (own && other && isSupportedSkew(own, other)) return undefined;
  return `its version ${spec.version} is more than one minor version from ${controlPlane.spec.version}, the version of the ${kind}`;
};

/**
 * The machines of its cluster that a control plane adopts: those of control planes that have no controller, and those
 * whose reference to it has an earlier uid. If one of them must not be adopted, or if another object controls one, none
 * is adopted, and nothing else may be changed: two owners would remove each other's members of etcd. A copy, which
 * names the parts of another machine, is left alone. The rules are those of Cluster API's KubeadmControlPlane
 * (initControlPlaneScope, adoptMachines), which also adopts copies, and does not adopt a machine whose configuration
 * does not exist.
 */
export const planControlPlaneAdoption = (facts: ControlPlaneAdoptionFacts): ControlPlaneAdoption => {
  const { controlPlane, machines } = facts;
  const isForeign = (machine: Machine): boolean => controllerOf(machine)?.uid !== controlPlane.metadata.uid;
  const foreign = machines.filter((machine) => isControlPlaneMachine(machine) && isForeign(machine));
  if (foreign.length === 0) return { adopt: [] };
  const known = originals(machines);
  const isCopy = (machine: Machine): boolean => partsOf(machine).some((part) => known.get(part) !== machine);
  const candidates = foreign
    .filter((machine) => !isCopy(machine))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  for (const machine of candidates) {
    const controller = controllerOf(machine);
    if (controller && isNamedBy(controller, controlPlane)) continue;
    const why = controller ? `${controller.kind} ${controller.name} controls it` : refusalOf(machine, facts);
    if (why) return { adopt: [], refused: `Machine ${machine.metadata.name} was not adopted: ${why}` };
  }
  return { adopt: candidates };
};

/** Whether the control plane may take an object from its current controller. */
export type Yields = (controller: OwnerReference, controlPlane: ControlPlane) => boolean;

/** A machine may only be taken from an earlier control plane with the same name. */
export const machineYields: Yields = (controller, controlPlane) => isNamedBy(controller, controlPlane);

/**
 * The object with the control plane as its controller; other owners keep their references. Undefined if the control
 * plane already is the controller in its current version, or if another controller keeps the object.
 */
export const withControlPlane = <T extends KubeObject>(
  object: T,
  controlPlane: ControlPlane,
  yields: Yields,
): T | undefined => {
  const controller = controllerOf(object);
  const isOwn = controller?.uid === controlPlane.metadata.uid;
  if (isOwn && controller?.apiVersion === controlPlane.apiVersion) return undefined;
  if (controller && !isOwn && !yields(controller, controlPlane)) return undefined;
  const others = (object.metadata.ownerReferences ?? []).filter((owner) => owner !== controller);
  return {
    ...object,
    metadata: { ...object.metadata, ownerReferences: withOwner(others, controllerReference(controlPlane)) },
  };
};
