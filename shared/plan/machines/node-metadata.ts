import type { V1Node } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import { ANNOTATION, LABEL } from '../labels.ts';
import { configuredAnnotations } from './configured-annotations.ts';
import type { NodePatch } from './node-patch.ts';
import { nodeTaints } from './node-taints.ts';

const ROLE_DOMAIN = 'node-role.kubernetes.io';
const NODE_DOMAIN = 'node.cluster.x-k8s.io';
const LABEL_DOMAINS = ['node-restriction.kubernetes.io', NODE_DOMAIN];

/** Annotations that identify a node's owner. They are not listed among those that came from the machine. */
const COMMON: readonly string[] = [
  ANNOTATION.nodeClusterName,
  ANNOTATION.nodeClusterNamespace,
  ANNOTATION.nodeMachine,
  ANNOTATION.nodeOwnerKind,
  ANNOTATION.nodeOwnerName,
];

/**
 * Annotations that a configuration cannot set: they identify a node, or record what came from the machine and may be
 * removed.
 */
const OURS: readonly string[] = [
  ...COMMON,
  ANNOTATION.nodeLabelsFromMachine,
  ANNOTATION.nodeAnnotationsFromMachine,
  ANNOTATION.nodeTaintsFromMachine,
];

const listed = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean);

/** Keys that an installation copies from machines to nodes, in addition to the built-in ones. */
export interface SyncedKeys {
  labels: readonly RegExp[];
  annotations: readonly RegExp[];
}

/** Parses the lists in the configuration: expressions of which one must match a part of the key. */
export const readSyncedKeys = ({
  syncMachineLabels: labels,
  syncMachineAnnotations: annotations,
}: {
  syncMachineLabels?: string;
  syncMachineAnnotations?: string;
}): SyncedKeys => {
  const expressions = (text: string | undefined) => listed(text).map((expression) => new RegExp(expression));
  return { labels: expressions(labels), annotations: expressions(annotations) };
};

/** The facts that determine a node's labels and taints, in addition to its machine. */
export interface NodeFacts {
  /** The provider may reclaim the machine's instance at any time. */
  interruptible: boolean;
  /** Whether the machine has an older revision of its deployment; undefined if unknown. */
  outdated: boolean | undefined;
  also?: SyncedKeys | undefined;
}

type Values = Readonly<Record<string, string>>;
type Changes = Record<string, string | null>;

const isIn = (domains: readonly string[], key: string): boolean => {
  const domain = key.split('/')[0] ?? '';
  return domains.some((managed) => domain === managed || domain.endsWith(`.${managed}`));
};

const pick = (values: Values | undefined, isWanted: (key: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => isWanted(key)));

const isMatched = (expressions: readonly RegExp[] | undefined, key: string): boolean =>
  expressions?.some((expression) => expression.test(key)) === true;

/**
 * Labels that are copied from a Machine to its Node: those with upstream's prefixes and domains, and the configured
 * ones.
 */
const labelsOf = (machine: Machine, { interruptible, also }: NodeFacts): Values => ({
  ...pick(
    machine.metadata.labels,
    (key) => key.split('/')[0] === ROLE_DOMAIN || isIn(LABEL_DOMAINS, key) || isMatched(also?.labels, key),
  ),
  ...(interruptible ? { [LABEL.interruptible]: '' } : {}),
});

const annotationsOf = (machine: Machine, { also }: NodeFacts): Values => {
  const { metadata, spec } = machine;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  return {
    ...pick(configuredAnnotations(machine), (key) => !OURS.includes(key)),
    ...pick(metadata.annotations, (key) => isIn([NODE_DOMAIN], key) || isMatched(also?.annotations, key)),
    [ANNOTATION.nodeClusterName]: spec.clusterName,
    [ANNOTATION.nodeClusterNamespace]: metadata.namespace ?? '',
    [ANNOTATION.nodeMachine]: metadata.name,
    ...(owner ? { [ANNOTATION.nodeOwnerKind]: owner.kind, [ANNOTATION.nodeOwnerName]: owner.name } : {}),
  };
};

const asList = (keys: readonly string[]): string => keys.toSorted().join(',');

/**
 * The change that adds `wanted` to `present`, and removes what came from the machine (`before`) and is no longer
 * wanted.
 */
const changes = (wanted: Values, before: readonly string[], present: Values = {}): Changes => ({
  ...Object.fromEntries(before.filter((key) => !(key in wanted) && key in present).map((key) => [key, null])),
  ...pick(wanted, (key) => present[key] !== wanted[key]),
});

/**
 * The change that gives a node its machine's labels, annotations and taints, removes the uninitialized taint, and marks
 * an outdated node; undefined if nothing has to change. What was removed from the machine is also removed from the
 * node; additions by others are kept.
 */
export const nodePatch = (machine: Machine, node: V1Node, facts: NodeFacts): NodePatch | undefined => {
  const { annotations: present = {}, labels: presentLabels, resourceVersion } = node.metadata ?? {};
  const labels = labelsOf(machine, facts);
  const annotations = annotationsOf(machine, facts);
  const { taints, tracked } = nodeTaints(machine, node, facts.outdated);
  const tracking = {
    [ANNOTATION.nodeLabelsFromMachine]: asList(Object.keys(labels)),
    [ANNOTATION.nodeAnnotationsFromMachine]: asList(Object.keys(annotations).filter((key) => !COMMON.includes(key))),
    [ANNOTATION.nodeTaintsFromMachine]: tracked,
  };
  const changed = {
    labels: changes(labels, listed(present[ANNOTATION.nodeLabelsFromMachine]), presentLabels),
    annotations: changes(
      { ...annotations, ...tracking },
      [...listed(present[ANNOTATION.nodeAnnotationsFromMachine]), ...COMMON],
      present,
    ),
  };
  const count = Object.keys(changed.labels).length + Object.keys(changed.annotations).length;
  if (count === 0 && !taints) return undefined;
  // Taints can only be replaced as a complete list, so none must have been added by others in the meantime.
  return { ...changed, ...(taints ? { taints, resourceVersion } : {}) };
};
