import { type Reference, refersTo } from '../kinds/reference.ts';
import { namesOutside } from '../outside/kinds.ts';
import type { Distribution } from './distribution.ts';
import { kubeadm } from './kubeadm/distribution.ts';
import { outside } from './outside/distribution.ts';
import { rke2 } from './rke2/distribution.ts';

/** Every way to make machines into a cluster that is built here. */
export const DISTRIBUTIONS: readonly Distribution[] = [kubeadm, rke2];

type Kinds = Pick<Distribution, 'controlPlane' | 'config' | 'configTemplate'>;

/** The distribution that has the kind of a reference; undefined if there is no reference or no such distribution. */
export const distributionOf = (role: keyof Kinds, reference: Reference | undefined): Distribution | undefined =>
  DISTRIBUTIONS.find((one) => refersTo(one[role], reference));

/**
 * As `distributionOf`, where a kind from outside will do: what its provider makes is taken over, by Cluster API's contract.
 */
export const anyDistributionOf = (role: keyof Kinds, reference: Reference | undefined): Distribution | undefined =>
  distributionOf(role, reference) ?? (namesOutside(reference) ? outside(role, reference) : undefined);
