import type { Cluster, Machine, MachineDeployment, MachineSet } from '../../kinds/index.ts';
import { selects } from '../../kinds/rules/kubernetes/label-selector.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { LABEL } from '../labels.ts';
import { isObjectPaused } from '../status/paused.ts';

/** An object that gets an owner. The owner of a workload controls it; the Cluster owns what nothing controls. */
export interface Adoption<T> {
  object: T;
  owner: MachineDeployment | MachineSet | Cluster;
  controls: boolean;
}

export interface AdoptionFacts {
  cluster: Cluster;
  deployments: readonly MachineDeployment[];
  sets: readonly MachineSet[];
  machines: readonly Machine[];
}

export const hasController = ({ metadata }: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ controller }) => controller) === true;

const isOwned = ({ metadata }: KubeObject, kinds: readonly string[]): boolean =>
  metadata.ownerReferences?.some(({ kind }) => kinds.includes(kind)) === true;

type Owner = MachineDeployment | MachineSet;

/**
 * A selector without requirements would select everything. Admission adds requirements, and here such a selector
 * selects nothing.
 */
const claims = (owner: Owner, { metadata: { labels = {} } }: KubeObject): boolean => {
  const { selector } = owner.spec;
  const isOpen = Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
  const acts = !owner.metadata.deletionTimestamp && !isObjectPaused(owner);
  return acts && !isOpen && selects(selector, labels);
};

const byAge = (a: Owner, b: Owner): number =>
  (Date.parse(a.metadata.creationTimestamp ?? '') || 0) - (Date.parse(b.metadata.creationTimestamp ?? '') || 0) ||
  (a.metadata.name < b.metadata.name ? -1 : 1);

const hasLabel = ({ metadata }: KubeObject, labels: readonly string[]): boolean =>
  labels.some((label) => label in (metadata.labels ?? {}));

/**
 * `origins`: labels of objects that a controller has created. After a restore, their owner is created later, and it is
 * not the Cluster.
 */
const adopt = <T extends KubeObject>(
  objects: readonly T[],
  owners: readonly Owner[],
  cluster: Cluster,
  { ownedBy, origins }: { ownedBy: readonly string[]; origins: readonly string[] },
): Adoption<T>[] =>
  objects
    .filter((object) => !hasController(object))
    .flatMap((object): Adoption<T>[] => {
      const owner = owners.toSorted(byAge).find((candidate) => claims(candidate, object));
      if (owner) return [{ object, owner, controls: true }];
      const isAlone = !isOwned(object, ownedBy) && !hasLabel(object, origins);
      return isAlone ? [{ object, owner: cluster, controls: false }] : [];
    });

/**
 * Assigns owners. As in Cluster API, sets and machines without a controller go to the oldest deployment or set that
 * selects them; those that no controller has created belong to the Cluster. An owner that is being deleted or paused
 * adopts nothing.
 */
export const planAdoption = ({ cluster, deployments, sets, machines }: AdoptionFacts) => ({
  sets: adopt(sets, deployments, cluster, {
    ownedBy: ['MachineDeployment', 'Cluster'],
    origins: [LABEL.deploymentName],
  }),
  machines: adopt(machines, sets, cluster, {
    ownedBy: ['Cluster'],
    origins: [LABEL.setName, LABEL.poolName, LABEL.controlPlaneName],
  }),
});

/**
 * Whether a machine counts as one of the set: the set controls it and still selects it. A machine whose labels have
 * changed keeps its owner, but is left alone and replaced.
 */
export const isMemberOf = (machine: Machine, set: MachineSet): boolean =>
  selects(set.spec.selector, machine.metadata.labels) &&
  machine.metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === set.metadata.uid) === true;
