import { isDeepStrictEqual } from 'node:util';
import { type Condition, formatTime } from '../../kube-api/object.ts';
import type { ClusterClass, ClusterClassSpec } from './schema.ts';
import { inlineDefinitions } from './variables/definitions.ts';

/** All templates that are served here are of this version. */
const LATEST = 'v1beta2';

const refsOf = ({ infrastructure, controlPlane, workers }: ClusterClassSpec) => [
  infrastructure.templateRef,
  controlPlane.templateRef,
  ...(controlPlane.machineInfrastructure ? [controlPlane.machineInfrastructure.templateRef] : []),
  ...[...(workers?.machineDeployments ?? []), ...(workers?.machinePools ?? [])].flatMap((it) => [
    it.bootstrap.templateRef,
    it.infrastructure.templateRef,
  ]),
];

/** Lines for the references that do not name the latest version of a template, each template once. */
const outdatedRefs = (spec: ClusterClassSpec): string[] => [
  ...new Set(
    refsOf(spec).flatMap(({ apiVersion, kind, name }) => {
      const version = apiVersion.split('/').at(-1);
      return version === LATEST ? [] : [`* ${kind} ${name}: current: ${version}, latest: ${LATEST}`];
    }),
  ),
];

type Claim = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

const isPaused = ({ metadata }: ClusterClass): boolean => 'cluster.x-k8s.io/paused' in (metadata.annotations ?? {});

/** In the order of their types, as upstream keeps them. */
const claimsOf = (clusterClass: ClusterClass): Claim[] => {
  const outdated = outdatedRefs(clusterClass.spec);
  const title = 'The following templateRefs are not using the latest apiVersion:';
  return [
    isPaused(clusterClass)
      ? {
          type: 'Paused',
          status: 'True',
          reason: 'Paused',
          message: 'ClusterClass has the cluster.x-k8s.io/paused annotation',
        }
      : { type: 'Paused', status: 'False', reason: 'NotPaused', message: '' },
    outdated.length > 0
      ? {
          type: 'RefVersionsUpToDate',
          status: 'False',
          reason: 'RefVersionsNotUpToDate',
          message: [title, ...outdated].join('\n'),
        }
      : { type: 'RefVersionsUpToDate', status: 'True', reason: 'RefVersionsUpToDate', message: '' },
    { type: 'VariablesReady', status: 'True', reason: 'VariablesReady', message: '' },
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

/** The conditions as clients of v1beta1 know them: without a reason where they are True. */
const legacyConditions = (claims: readonly Claim[], old: Legacy | undefined, time: string): Legacy =>
  LEGACY_TYPES.flatMap(({ is, was: type, reason, severity }): Legacy => {
    const claim = claims.find((it) => it.type === is);
    if (!claim) return [];
    const before = old?.find((it) => it.type === type);
    const lastTransitionTime = before?.status === claim.status ? before.lastTransitionTime : time;
    const why = claim.status === 'True' ? {} : { severity, reason, message: claim.message };
    return [{ type, status: claim.status, lastTransitionTime, ...why }];
  });

/**
 * A class with the status that upstream's controller gives it (core/reconcilers/clusterclass). It follows from the class
 * alone, so that it is true from the first moment and costs no pass. `now`: when the class was written; its creation
 * counts where that is not known.
 */
export const withClassStatus = (
  next: ClusterClass,
  old: ClusterClass | undefined,
  now: Date | undefined,
): ClusterClass => {
  const before = old?.metadata.generation ?? 1;
  const generation = old && !isDeepStrictEqual(next.spec, old.spec) ? before + 1 : before;
  const time = now ? formatTime(now) : (next.metadata.creationTimestamp ?? '');
  const claims = claimsOf(next);
  const conditions = claims.map((claim): Condition => {
    const was = old?.status?.conditions?.find(({ type }) => type === claim.type);
    const lastTransitionTime = was?.status === claim.status ? was.lastTransitionTime : time;
    return { ...claim, lastTransitionTime, observedGeneration: generation };
  });
  const legacy = legacyConditions(claims, old?.status?.deprecated?.v1beta1?.conditions, time);
  const variables = inlineDefinitions(next.spec.variables);
  return {
    ...next,
    status: {
      conditions,
      ...(variables.length > 0 ? { variables } : {}),
      observedGeneration: generation,
      deprecated: { v1beta1: { conditions: legacy } },
    },
  };
};

/** Whether the status is that of the class as it is; those of earlier versions of Windlass have none. */
export const isClassStatusCurrent = ({ metadata, status }: ClusterClass): boolean =>
  status?.observedGeneration === metadata.generation &&
  (status?.conditions ?? []).some(({ type }) => type === 'VariablesReady');
