import type { Condition, KubeObject } from '../kube-api/object.ts';
import { type Family, gauge, info, inState, type Labels, numberOf, secondsOf, states } from './family.ts';

/** Metrics of several kinds. `noun` is the kind as a word, such as `machinedeployment`. */

const PAUSED = 'cluster.x-k8s.io/paused';

interface WithConditions {
  status?: { conditions?: readonly Condition[] };
}

export const conditions = <T extends WithConditions>(noun: string): Family<T>[] => [
  {
    name: 'status_condition',
    help: `Conditions of a ${noun}: 1 for the status that a condition has, 0 for the others.`,
    samples: ({ status }) =>
      (status?.conditions ?? []).flatMap((condition) =>
        inState('status', ['True', 'False', 'Unknown'], condition.status, { type: condition.type }),
      ),
  },
  {
    name: 'status_condition_last_transition_time',
    help: `When a condition of a ${noun} last changed its status, in seconds since 1970.`,
    samples: ({ status }) =>
      (status?.conditions ?? []).flatMap(({ type, status: value, lastTransitionTime }) => {
        const seconds = secondsOf(lastTransitionTime);
        return seconds === undefined ? [] : [{ labels: { type, status: value }, value: seconds }];
      }),
  },
];

export const paused = <T extends KubeObject>(noun: string): Family<T> =>
  info('annotation_paused', `The annotation by which a ${noun} is paused, where it has one.`, ({ metadata }) => ({
    paused_value: metadata.annotations?.[PAUSED],
  }));

export const created = <T extends KubeObject>(noun: string): Family<T> =>
  gauge('created', `When a ${noun} was created, in seconds since 1970.`, ({ metadata }) =>
    secondsOf(metadata.creationTimestamp),
  );

export const owners = <T extends KubeObject>(noun: string): Family<T> =>
  info('owner', `The owners of a ${noun}.`, ({ metadata }) =>
    (metadata.ownerReferences ?? []).map(({ kind, name, uid, controller }) => ({
      owner_kind: kind,
      owner_name: name,
      owner_uid: uid,
      owner_is_controller: controller,
    })),
  );

export const specPaused = <T extends { spec: { paused?: boolean } }>(noun: string): Family<T> =>
  gauge('spec_paused', `Whether a ${noun} is paused by its spec.`, ({ spec }) => Number(spec.paused ?? false));

export const phase = <T extends { status?: { phase?: string } }>(noun: string, all: readonly string[]): Family<T> =>
  states('status_phase', `The phase of a ${noun}: 1 for the present one, 0 for the others.`, {
    label: 'phase',
    all,
    read: ({ status }) => status?.phase,
  });

interface WithReplicas {
  spec: { replicas?: number };
  status?: { replicas?: number; readyReplicas?: number; availableReplicas?: number; upToDateReplicas?: number };
}

export const replicas = <T extends WithReplicas>(noun: string): Family<T>[] => [
  gauge('spec_replicas', `Desired machines of a ${noun}.`, ({ spec }) => spec.replicas),
  gauge('status_replicas', `Machines of a ${noun}.`, ({ status }) => status?.replicas ?? 0),
  gauge(
    'status_replicas_available',
    `Available machines of a ${noun}.`,
    ({ status }) => status?.availableReplicas ?? 0,
  ),
  gauge('status_replicas_ready', `Ready machines of a ${noun}.`, ({ status }) => status?.readyReplicas ?? 0),
  gauge('status_replicas_uptodate', `Up-to-date machines of a ${noun}.`, ({ status }) => status?.upToDateReplicas ?? 0),
];

interface WithRollout {
  spec: { rollout?: { strategy?: { rollingUpdate?: { maxSurge?: number | string } } } };
}

export const maxSurge = <T extends WithRollout>(noun: string): Family<T> =>
  gauge(
    'spec_strategy_rollingupdate_max_surge',
    `Machines that a rollout of a ${noun} may add to the desired ones: a number, or a share of them below 1.`,
    ({ spec }) => numberOf(spec.rollout?.strategy?.rollingUpdate?.maxSurge),
  );

interface Reference {
  kind: string;
  name: string;
}

interface Template {
  spec: {
    bootstrap: { configRef?: Reference };
    infrastructureRef: Reference;
    version?: string;
  };
}

/** The template of a worker kind, without the reference to its bootstrap configuration, whose labels differ by kind. */
export const templateLabels = ({ spec: { infrastructureRef, version } }: Template): Labels => ({
  infrastructure_reference_kind: infrastructureRef.kind,
  infrastructure_reference_name: infrastructureRef.name,
  version,
});
