import type { Cluster } from '../../../kinds/cluster/schema.ts';
import { type NameVariables, suffixOf, templatedName } from '../../names.ts';

const MAX_BASE = 58;

/**
 * Names follow from the cluster's uid and the object's place, where upstream draws them at random: two passes that plan from
 * the same facts choose the same name, so that the second create meets the first.
 */
const seedOf = ({ metadata: { uid = '' } }: Cluster, place: string): string => `${uid}/topology/${place}`;

/** The name of a template or of a pool's object: `<cluster>-<group>-<random>`. `place`: what it is for. */
export const simpleName = (cluster: Cluster, base: string, place: string): string =>
  `${base.slice(0, MAX_BASE)}${suffixOf(seedOf(cluster, place))}`;

/** The name that the class's own template, or else upstream's, gives to an object. */
export const namedBy = (
  cluster: Cluster,
  template: string | undefined,
  fallback: string,
  variables: NameVariables,
  place: string,
): string =>
  templatedName(template ?? fallback, { 'cluster.name': cluster.metadata.name, ...variables }, seedOf(cluster, place));
