import type { Cluster } from '../kinds/index.ts';
import { type Reference, refersTo } from '../kinds/reference.ts';
import { type OutsidePart, outsidePartsOf } from '../kinds/rules/outside-parts.ts';
import { namesOutside } from '../outside/kinds.ts';
import type { Distribution } from './distribution.ts';
import { kubeadm } from './kubeadm/distribution.ts';
import { outside, reconciledOutside } from './outside/distribution.ts';
import { rke2 } from './rke2/distribution.ts';

/** All built-in distributions. */
export const DISTRIBUTIONS: readonly Distribution[] = [kubeadm, rke2];

type Kinds = Pick<Distribution, 'controlPlane' | 'config' | 'configTemplate'>;

/**
 * The distribution to which the kind of a reference belongs; undefined if there is no reference or no such
 * distribution.
 */
export const distributionOf = (role: keyof Kinds, reference: Reference | undefined): Distribution | undefined =>
  DISTRIBUTIONS.find((one) => refersTo(one[role], reference));

/**
 * Like `distributionOf`, but includes kinds of external providers, whose objects are read according to Cluster API's
 * contract.
 */
export const anyDistributionOf = (role: keyof Kinds, reference: Reference | undefined): Distribution | undefined =>
  distributionOf(role, reference) ?? (namesOutside(reference) ? outside(role, reference) : undefined);

/** The part of a cluster to which the objects of a role belong, as named in an annotation of the Cluster. */
const PARTS: Readonly<Record<keyof Kinds, OutsidePart>> = {
  controlPlane: 'ControlPlane',
  config: 'Bootstrap',
  configTemplate: 'Bootstrap',
};

/**
 * Like `anyDistributionOf`, for the objects of a cluster. Kinds of Windlass count as external kinds if an annotation of
 * the Cluster says that another installation's controllers reconcile them.
 */
export const distributionIn = (
  cluster: Pick<Cluster, 'metadata'> | null | undefined,
  role: keyof Kinds,
  reference: Reference | undefined,
): Distribution | undefined => {
  const found = anyDistributionOf(role, reference);
  const isElsewhere = found && !found.isOutside && cluster && outsidePartsOf(cluster).includes(PARTS[role]);
  return isElsewhere ? reconciledOutside(found) : found;
};
