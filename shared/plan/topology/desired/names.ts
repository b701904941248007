import type { Cluster } from '../../../kinds/cluster/schema.ts';
import { NameTemplateError, type NameVariables } from '../../../kinds/rules/name-template.ts';
import { suffixOf, templatedName } from '../../names.ts';
import { TopologyError } from '../error.ts';

const MAX_BASE = 58;

/**
 * Names are derived from the cluster's uid and the object's role, whereas upstream's are random. So two passes that
 * plan from the same facts choose the same name, and the second create finds the first one's object.
 */
const seedOf = ({ metadata: { uid = '' } }: Cluster, place: string): string => `${uid}/topology/${place}`;

/** The name of a template or of a pool's object: `<cluster>-<group>-<random>`. `place`: its role. */
export const simpleName = (cluster: Cluster, base: string, place: string): string =>
  `${base.slice(0, MAX_BASE)}${suffixOf(seedOf(cluster, place))}`;

/**
 * The name of an object from the class's own template, or else from upstream's. Throws TopologyError even if the object
 * exists and keeps its name: nothing is done for a class whose template fails.
 */
export const namedBy = (
  cluster: Cluster,
  kind: string,
  { template, variables = {} }: { template: string; variables?: NameVariables },
  place: string,
): string => {
  try {
    const naming = { template, variables: { cluster: { name: cluster.metadata.name }, ...variables } };
    return templatedName(naming, seedOf(cluster, place));
  } catch (error) {
    if (!(error instanceof NameTemplateError)) throw error;
    throw new TopologyError(`failed to generate name for ${kind}: ${error.message}`);
  }
};
