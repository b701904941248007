import { isDeepStrictEqual } from 'node:util';
import type { Condition } from '../../kube-api/object.ts';
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

/**
 * A class with the status that upstream's controller gives it (core/reconcilers/clusterclass). It follows from the class
 * alone, so that it is true from the first moment and costs no pass. Without a clock, a condition that is new or changes
 * has the time at which the class was created.
 */
export const withClassStatus = (next: ClusterClass, old: ClusterClass | undefined): ClusterClass => {
  const before = old?.metadata.generation ?? 1;
  const generation = old && !isDeepStrictEqual(next.spec, old.spec) ? before + 1 : before;
  const known = new Map((old?.status?.conditions ?? []).map((condition) => [condition.type, condition]));
  const { creationTimestamp = '' } = next.metadata;
  const conditions = claimsOf(next).map((claim): Condition => {
    const was = known.get(claim.type);
    const lastTransitionTime = was?.status === claim.status ? was.lastTransitionTime : creationTimestamp;
    return { ...claim, lastTransitionTime, observedGeneration: generation };
  });
  const variables = inlineDefinitions(next.spec.variables);
  return {
    ...next,
    status: { conditions, ...(variables.length > 0 ? { variables } : {}), observedGeneration: generation },
  };
};

/** Whether the status is that of the class as it is; those of earlier versions of Windlass have none. */
export const isClassStatusCurrent = ({ metadata, status }: ClusterClass): boolean =>
  status?.observedGeneration === metadata.generation &&
  (status?.conditions ?? []).some(({ type }) => type === 'VariablesReady');
