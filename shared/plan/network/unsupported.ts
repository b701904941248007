import type { AWSCluster } from '../../kinds/index.ts';

type Spec = AWSCluster['spec'];

/**
 * What the spec asks for and this version does not make, by field. Nothing is made while the list is not empty: a network
 * that lacks what was asked for would have to be taken down again.
 */
export const unsupportedFields = (spec: Spec): string[] => {
  const fields: [string, boolean][] = [
    ['spec.secondaryControlPlaneLoadBalancer', spec.secondaryControlPlaneLoadBalancer !== undefined],
  ];
  return fields.flatMap(([field, isAsked]) => (isAsked ? [field] : []));
};
