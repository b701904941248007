import { isDeepStrictEqual } from 'node:util';
import { fittingMessage, LONGEST_LEGACY_MESSAGE } from '../../kube-api/condition-message.ts';
import { type Condition, formatTime } from '../../kube-api/object.ts';
import type { ClusterClass, ClusterClassSpec } from './schema.ts';
import { validateVariables } from './validate-variables.ts';
import type { StatusVariable } from './variable-schema.ts';
import { definitionsOf, discoversVariables } from './variables/discovered.ts';

/** The latest version of the templates of Windlass. */
const LATEST = 'v1beta2';

/**
 * Windlass's own templates with that version, by group. The versions of external providers' kinds are not known here.
 */
export const OWN_TEMPLATES: readonly string[] = [
  'infrastructure.cluster.x-k8s.io/AWSClusterTemplate',
  'infrastructure.cluster.x-k8s.io/AWSMachineTemplate',
  'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate',
  'controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate',
  'bootstrap.cluster.x-k8s.io/RKE2ConfigTemplate',
  'controlplane.cluster.x-k8s.io/RKE2ControlPlaneTemplate',
];

const refsOf = ({ infrastructure, controlPlane, workers }: ClusterClassSpec) => [
  infrastructure.templateRef,
  controlPlane.templateRef,
  ...(controlPlane.machineInfrastructure ? [controlPlane.machineInfrastructure.templateRef] : []),
  ...[...(workers?.machineDeployments ?? []), ...(workers?.machinePools ?? [])].flatMap((it) => [
    it.bootstrap.templateRef,
    it.infrastructure.templateRef,
  ]),
];

/** Lines for references to these templates that do not use the latest version, without duplicates. */
const outdatedRefs = (spec: ClusterClassSpec): string[] => [
  ...new Set(
    refsOf(spec).flatMap(({ apiVersion, kind, name }) => {
      const [group, version] = apiVersion.split('/');
      return version === LATEST || !OWN_TEMPLATES.includes(`${group}/${kind}`)
        ? []
        : [`* ${kind} ${name}: current: ${version}, latest: ${LATEST}`];
    }),
  ),
];

type Claim = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

export const isClassPaused = ({ metadata }: Pick<ClusterClass, 'metadata'>): boolean =>
  'cluster.x-k8s.io/paused' in (metadata.annotations ?? {});

const PAUSED: Claim = {
  type: 'Paused',
  status: 'True',
  reason: 'Paused',
  message: 'ClusterClass has the cluster.x-k8s.io/paused annotation',
};

/** A user who can edit a class can also write its status: definitions that would be invalid in a spec are dropped. */
const isUsable = ({ name, definitions }: StatusVariable): boolean =>
  validateVariables(definitions.slice(0, 1).map(({ from: _, ...definition }) => ({ name, ...definition }))).length ===
  0;

/** The result of a discovery is kept until the next one. Before the first one there is no condition. */
const variablesClaims = ({ spec, status }: ClusterClass): Claim[] => {
  const ready: Claim = { type: 'VariablesReady', status: 'True', reason: 'VariablesReady', message: '' };
  if (!discoversVariables(spec)) return [ready];
  const found = status?.conditions?.find(({ type }) => type === ready.type);
  return found ? [{ type: found.type, status: found.status, reason: found.reason, message: found.message }] : [];
};

/** In upstream's order: by type, except that a pause comes last. */
const claimsOf = (clusterClass: ClusterClass): Claim[] => {
  const outdated = outdatedRefs(clusterClass.spec);
  const title = 'The following templateRefs are not using the latest apiVersion:';
  return [
    outdated.length > 0
      ? {
          type: 'RefVersionsUpToDate',
          status: 'False',
          reason: 'RefVersionsNotUpToDate',
          message: [title, ...outdated].join('\n'),
        }
      : { type: 'RefVersionsUpToDate', status: 'True', reason: 'RefVersionsUpToDate', message: '' },
    ...variablesClaims(clusterClass),
    { type: 'Paused', status: 'False', reason: 'NotPaused', message: '' },
  ];
};

type Legacy = NonNullable<
  NonNullable<NonNullable<NonNullable<ClusterClass['status']>['deprecated']>['v1beta1']>['conditions']
>;

/** Their names in v1beta1, which has no condition for a pause. */
const LEGACY_TYPES = [
  { is: 'RefVersionsUpToDate', was: 'RefVersionsUpToDate', reason: 'OutdatedRefVersions', severity: 'Warning' },
  { is: 'VariablesReady', was: 'VariablesReconciled', reason: 'VariableDiscoveryFailed', severity: 'Error' },
] as const;

/** The conditions in v1beta1. They have no reason if they are True. */
const legacyConditions = (claims: readonly Claim[], old: Legacy | undefined, time: string): Legacy =>
  LEGACY_TYPES.flatMap(({ is, was: type, reason, severity }): Legacy => {
    const claim = claims.find((it) => it.type === is);
    if (!claim) return [];
    const before = old?.find((it) => it.type === type);
    const lastTransitionTime = before?.status === claim.status ? before.lastTransitionTime : time;
    const message = fittingMessage(claim.message, LONGEST_LEGACY_MESSAGE);
    const why = claim.status === 'True' ? {} : { severity, reason, message };
    return [{ type, status: claim.status, lastTransitionTime, ...why }];
  });

/** The condition of a claim. It keeps its time as long as its status does not change. */
const conditionOf = (claim: Claim, old: ClusterClass | undefined, generation: number, time: string): Condition => {
  const was = old?.status?.conditions?.find(({ type }) => type === claim.type);
  const lastTransitionTime = was?.status === claim.status ? was.lastTransitionTime : time;
  return { ...claim, message: fittingMessage(claim.message), lastTransitionTime, observedGeneration: generation };
};

/** A paused class keeps its earlier status, except for the pause. */
const pausedStatus = (old: ClusterClass | undefined, generation: number, time: string): ClusterClass['status'] => {
  const { conditions = [], ...kept } = old?.status ?? {};
  const others = conditions.filter(({ type }) => type !== PAUSED.type);
  return { ...kept, conditions: [...others, conditionOf(PAUSED, old, generation, time)] };
};

const currentStatus = (
  next: ClusterClass,
  old: ClusterClass | undefined,
  generation: number,
  time: string,
): ClusterClass['status'] => {
  const claims = claimsOf(next);
  const isFound = discoversVariables(next.spec);
  const variables = isFound ? definitionsOf(next).filter(isUsable) : definitionsOf(next);
  const observed = isFound ? next.status?.observedGeneration : generation;
  return {
    conditions: claims.map((claim) => conditionOf(claim, old, generation, time)),
    ...(variables.length > 0 ? { variables: [...variables] } : {}),
    ...(observed === undefined ? {} : { observedGeneration: observed }),
    deprecated: {
      v1beta1: { conditions: legacyConditions(claims, old?.status?.deprecated?.v1beta1?.conditions, time) },
    },
  };
};

/**
 * A class with the status that upstream's controller writes (core/reconcilers/clusterclass). It is derived from the
 * class alone, so it is correct immediately and costs no pass; only variables from extensions are written by the
 * discovery, with their generation. `now`: when the class was written; if unknown, its creation counts.
 */
export const withClassStatus = (
  next: ClusterClass,
  old: ClusterClass | undefined,
  now: Date | undefined,
): ClusterClass => {
  const before = old?.metadata.generation ?? 1;
  const generation = old && !isDeepStrictEqual(next.spec, old.spec) ? before + 1 : before;
  const time = now ? formatTime(now) : (next.metadata.creationTimestamp ?? '');
  const status = isClassPaused(next) ? pausedStatus(old, generation, time) : currentStatus(next, old, generation, time);
  return { ...next, status };
};

const isReady = ({ status }: ClusterClass): boolean =>
  (status?.conditions ?? []).some(({ type }) => type === 'VariablesReady');

/** Whether the status matches the current class; classes from earlier versions of Windlass have none. */
export const isClassStatusCurrent = (clusterClass: ClusterClass): boolean =>
  isClassPaused(clusterClass) ||
  (clusterClass.status?.observedGeneration === clusterClass.metadata.generation && isReady(clusterClass));

/** Why clusters do not follow a class, in upstream's words: it is paused, and has been changed in the meantime. */
export const faultOfPausedClass = (clusterClass: ClusterClass): string | undefined => {
  if (!isClassPaused(clusterClass)) return undefined;
  const what = 'ClusterClass is not successfully reconciled';
  if (!isReady(clusterClass)) return `${what}: status of VariablesReady condition on ClusterClass must be "True"`;
  const { metadata, status } = clusterClass;
  if (status?.observedGeneration === metadata.generation) return undefined;
  const [is, was] = [metadata.generation, status?.observedGeneration ?? 0];
  return `${what}: ClusterClass.status.observedGeneration must be ${is}, but is ${was}`;
};
