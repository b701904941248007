import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { Lease } from './schema.ts';

/** Kubernetes' rules for leases (k8s.io/kubernetes pkg/apis/coordination/validation). */
export const validateLease = ({ spec = {} }: Lease): FieldError[] => {
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions } = spec;
  return [
    ...(seconds !== undefined && seconds <= 0
      ? [invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
      : []),
    ...(transitions !== undefined && transitions < 0
      ? [invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : []),
  ];
};

/**
 * Upstream drops these fields unless its feature gate CoordinatedLeaderElection is enabled, which it is not by default.
 */
export const withoutCoordination = ({ spec = {}, ...lease }: Lease): Lease => {
  const { strategy: _, preferredHolder: __, ...kept } = spec;
  return { ...lease, spec: kept };
};
