import type { Cluster, Topology } from '../../../shared/kinds/cluster/schema.ts';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { faultOfPausedClass } from '../../../shared/kinds/cluster-class/status.ts';
import { validateCompatible } from '../../../shared/kinds/cluster-class/validate-classes.ts';
import {
  type VersionHindrances,
  validateClusterForClass,
  validateScaledByClass,
  validateVersionChange,
} from '../../../shared/kinds/cluster-class/validate-cluster.ts';
import { validateUse } from '../../../shared/kinds/cluster-class/validate-use.ts';
import { areVariablesKnown, definitionsOf } from '../../../shared/kinds/cluster-class/variables/discovered.ts';
import {
  defaultTopologyVariables,
  validateTopologyVariables,
} from '../../../shared/kinds/cluster-class/variables/topology.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { forbiddenField } from '../../../shared/kube-api/field-error.ts';
import { isObject } from '../../../shared/kube-api/json.ts';
import type { KubeObject, ObjectKey } from '../../../shared/kube-api/object.ts';
import type { RegistryOptions } from '../../../shared/kube-api/registry/registry.ts';
import type { RelatedRules } from '../../../shared/kube-api/registry/related-rules.ts';
import type { FieldError, ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { hookMemoryOf } from '../../../shared/plan/topology/hooks/memory.ts';
import { validateTemplates } from '../../../shared/plan/topology/patches/template-syntax.ts';
import { makeCheckDelete } from './check-delete.ts';
import { classKeyOf, isSameKey, type Reads, readClass, usersOf, withTopology } from './classes.ts';
import { hindrancesOf } from './hindrances.ts';
import type { ReadOutside } from './read-outside.ts';

const FIELD = 'spec.topology';
const MAY_SET_VERSION = 'unsafe.topology.cluster.x-k8s.io/disable-update-version-check';

const isKind = (resource: ResourceDefinition, { group, kind }: ResourceDefinition): boolean =>
  resource.group === group && resource.kind === kind;

const text = ({ namespace, name }: ObjectKey): string => `${namespace}/${name}`;

/** The data that was read for the write of a Cluster. */
interface ClusterFacts {
  key: ObjectKey;
  clusterClass: ClusterClass | undefined;
  /** The class that the Cluster had before, if it was another one. */
  former: { key: ObjectKey; clusterClass: ClusterClass | undefined } | undefined;
  hindrances: VersionHindrances;
}

const completeTopology = (
  cluster: Cluster,
  topology: Topology,
  old: Topology | undefined,
  clusterClass: ClusterClass,
): { object: Cluster; errors: FieldError[] } => {
  const definitions = definitionsOf(clusterClass);
  const { value, errors } = defaultTopologyVariables(topology, definitions);
  const all = [...errors, ...validateTopologyVariables(value, old, definitions)];
  return { object: { ...cluster, spec: { ...cluster.spec, topology: value } }, errors: all };
};

const validateRebase = ({ key, clusterClass, former }: ClusterFacts): FieldError[] => {
  if (!former || !clusterClass) return [];
  const [from, to] = [text(former.key), text(key)].map((name) => `"${name}"`);
  if (former.clusterClass) return validateCompatible(clusterClass.spec, former.clusterClass.spec);
  const why = `valid ClusterClass with name ${from} could not be retrieved, change from class ${from} to class ${to} cannot be validated.`;
  const { name } = former.key;
  return [forbiddenField(`${FIELD}.class`, `${why} Error: ClusterClass.cluster.x-k8s.io "${name}" not found`)];
};

const validateUpdate = (next: Cluster, old: Cluster, facts: ClusterFacts): FieldError[] => {
  const { key, clusterClass, hindrances } = facts;
  const [is, was] = [next.spec.topology, old.spec.topology];
  if (!clusterClass) {
    return [{ type: 'InternalError', field: `${FIELD}.class`, detail: `ClusterClass ${text(key)} not found` }];
  }
  // Whether a cluster may get a topology is decided without the class.
  if (!is || !was) return [];
  const mayChange = MAY_SET_VERSION in (next.metadata.annotations ?? {});
  return [
    ...(mayChange ? [] : validateVersionChange(is.version, was.version, clusterClass.spec, hindrances)),
    ...validateRebase(facts),
  ];
};

const isReconciled = (clusterClass: ClusterClass): boolean =>
  faultOfPausedClass(clusterClass) === undefined && areVariablesKnown(clusterClass);

const NOT_VALIDATED = 'Cluster topology has not been fully validated';

const classWarnings = ({ key, clusterClass }: ClusterFacts): string[] => {
  const what = `Cluster refers to ClusterClass ${text(key)}, but this ClusterClass`;
  if (!clusterClass) {
    return [`${what} does not exist. ${NOT_VALIDATED}. The ClusterClass must be created to reconcile the Cluster`];
  }
  if (isReconciled(clusterClass)) return [];
  return [
    `${what} hasn't been successfully reconciled. ${NOT_VALIDATED}. Please take a look at the ClusterClass status`,
  ];
};

const warningsOf = ({ metadata: { annotations = {} } }: KubeObject, old: Cluster | undefined, facts: ClusterFacts) => [
  ...classWarnings(facts),
  ...(old?.spec.topology && MAY_SET_VERSION in annotations
    ? [`Skipping version validation for Cluster because annotation "${MAY_SET_VERSION}" is set.`]
    : []),
];

const clusterRules = (object: KubeObject, old: Cluster | undefined, facts: ClusterFacts): RelatedRules<Cluster> => {
  const { clusterClass } = facts;
  return {
    complete: (cluster) => {
      const { topology } = cluster.spec;
      // A pass sets the defaults of variables and validates them, once the class is no longer paused and all variables
      // are known.
      if (!topology || !clusterClass || !isReconciled(clusterClass)) return { object: cluster, errors: [] };
      return completeTopology(cluster, topology, old?.spec.topology, clusterClass);
    },
    validate: (cluster) => {
      const { topology } = cluster.spec;
      return [
        ...(topology && clusterClass ? validateClusterForClass(cluster, topology, clusterClass) : []),
        ...(old ? validateUpdate(cluster, old, facts) : []),
      ];
    },
    warnings: warningsOf(object, old, facts),
  };
};

const versionOf = (object: unknown): unknown =>
  isObject(object) && isObject(object.spec) && isObject(object.spec.topology)
    ? object.spec.topology.version
    : undefined;

const clusterFacts = async (
  reads: Reads,
  readOutside: ReadOutside,
  object: KubeObject,
  old: Cluster | undefined,
  key: ObjectKey,
): Promise<ClusterFacts> => {
  const oldKey = old && classKeyOf(old);
  const before = old?.spec.topology?.version;
  const changesVersion = old !== undefined && before !== undefined && versionOf(object) !== before;
  const [clusterClass, former, messages] = await Promise.all([
    readClass(reads, key),
    oldKey && !isSameKey(oldKey, key) ? readClass(reads, oldKey) : undefined,
    changesVersion ? hindrancesOf({ reads, readOutside }, old, before) : [],
  ]);
  const isHookPending = old !== undefined && hookMemoryOf(old).pending.has('AfterClusterUpgrade');
  const isRebased = oldKey !== undefined && !isSameKey(oldKey, key);
  const hindrances = { isHookPending, messages };
  return { key, clusterClass, former: isRebased ? { key: oldKey, clusterClass: former } : undefined, hindrances };
};

const classRules = (
  old: ClusterClass | undefined,
  users: ReturnType<typeof withTopology>,
): RelatedRules<ClusterClass> => ({
  validate: ({ spec }) => [
    ...validateTemplates(spec),
    ...(old ? validateUse(spec, old.spec, users) : []),
    ...users.flatMap(({ metadata, topology }) => validateScaledByClass(metadata, topology, spec)),
  ],
});

const hasSameSpec = (a: KubeObject, b: KubeObject): boolean =>
  JSON.stringify((a as ClusterClass).spec) === JSON.stringify((b as ClusterClass).spec);

/**
 * The rules of Cluster API's webhooks that need objects other than the written one: a Cluster is completed and
 * validated with its class, and a class is checked against the clusters that use it. Other kinds cost no read.
 */
export const makeTopologyRules = (
  reads: Reads,
  readOutside: ReadOutside,
): Pick<RegistryOptions, 'relatedRules' | 'checkDelete'> => ({
  relatedRules: async (resource, object, old) => {
    // Nothing may block a deletion, for example a class that no longer exists.
    if (old?.metadata.deletionTimestamp) return undefined;
    if (isKind(resource, kinds.cluster)) {
      const key = classKeyOf(object);
      const facts = key && (await clusterFacts(reads, readOutside, object, old as Cluster | undefined, key));
      return facts && (clusterRules(object, old as Cluster | undefined, facts) as RelatedRules);
    }
    if (!isKind(resource, kinds.clusterClass) || (old && hasSameSpec(object, old))) return undefined;
    const users = old ? withTopology(await usersOf(reads, [old])) : [];
    return classRules(old as ClusterClass | undefined, users) as RelatedRules;
  },
  checkDelete: makeCheckDelete(reads),
});
