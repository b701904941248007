/** Changes that the owner of machines makes to them without replacing them. Pure. */
import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Machine, MachineSet } from '../../kinds/index.ts';
import type { DistributionRules } from '../control-plane/distribution-rules.ts';
import { controlPlaneReadinessGates, metadataOfControlPlaneMachines, metadataOfWorkers } from './desired.ts';
import { type Metadata, withDeletion, withPropagated } from './propagation.ts';

/** What an owner currently wants for its machines. */
export interface InPlace {
  metadata: Metadata;
  deletion: Machine['spec']['deletion'];
  /** Fields without a value are removed; absent fields are left unchanged. */
  spec: Partial<Pick<Machine['spec'], 'minReadySeconds' | 'readinessGates' | 'taints'>>;
}

/** What a set wants for its machines (upstream's computeDesiredMachine, machineset_controller.go). */
export const inPlaceOfSet = (set: MachineSet): InPlace => {
  const { minReadySeconds, readinessGates, deletion, taints } = set.spec.template.spec;
  return {
    metadata: metadataOfWorkers(set),
    deletion,
    spec: { minReadySeconds, readinessGates, taints } as InPlace['spec'],
  };
};

/**
 * What a control plane wants for its machines (upstream's ComputeDesiredMachine,
 * controlplane/kubeadm/pkg/desiredstate). It does not manage their `minReadySeconds`.
 */
export const inPlaceOfControlPlane = (
  distribution: DistributionRules,
  controlPlane: ControlPlane,
  clusterName: string,
): InPlace => {
  const { deletion, taints } = controlPlane.spec.machineTemplate.spec;
  const readinessGates = controlPlaneReadinessGates(distribution, controlPlane);
  return {
    metadata: metadataOfControlPlaneMachines(controlPlane, clusterName),
    deletion,
    spec: { readinessGates, taints } as InPlace['spec'],
  };
};

/**
 * A machine with the fields of its owner, but with its own labels and annotations, for a machine that is being deleted.
 */
export const withFieldsInPlace = (
  machine: Machine,
  { deletion, spec }: Pick<InPlace, 'deletion' | 'spec'>,
): Machine => {
  const kept = Object.entries(machine.spec).filter(([key]) => !(key in spec));
  const given = Object.entries(spec).filter(([, value]) => value !== undefined);
  const next = { ...Object.fromEntries(kept), ...Object.fromEntries(given) } as Machine['spec'];
  return withDeletion({ ...machine, spec: next }, deletion);
};

/** A machine with the fields, labels and annotations of its owner. */
export const withInPlace = (machine: Machine, wanted: InPlace): Machine =>
  withPropagated(withFieldsInPlace(machine, wanted), wanted.metadata);
