import type { MachineDrainRule } from '../../kinds/index.ts';
import type { DrainPod } from './facts.ts';
import { DRAIN_LABEL, MIRROR_POD } from './names.ts';
import { ruleOf } from './rules.ts';

/** The input that determines what a drain does with the pods of a node. */
export interface DrainFacts {
  /** The rules for the machine (`rulesFor`). */
  rules: readonly MachineDrainRule[];
  /** Labels of the namespaces, by their names. */
  namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** `namespace/name` of existing DaemonSets, among those that control a pod. */
  daemonSets: ReadonlySet<string>;
  /** Pods that should have been gone for more than this many seconds are not awaited: their kubelet is unresponsive. */
  giveUpSeconds?: number;
  now: Date;
}

type Behavior = MachineDrainRule['spec']['drain']['behavior'];

/** What a drain does with one pod. */
export interface Verdict {
  pod: DrainPod;
  behavior: Behavior;
  order: number;
}

/** `namespace/name`, the name of a pod in messages. */
export const podKey = ({ metadata: { namespace, name } }: DrainPod): string => `${namespace}/${name}`;

const isFinished = ({ status }: DrainPod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** `namespace/name` of the DaemonSet to which a pod belongs, unless the pod has finished. */
export const daemonSetOf = (pod: DrainPod): string | undefined => {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner?.kind !== 'DaemonSet' || isFinished(pod)) return undefined;
  return `${pod.metadata.namespace}/${owner.name}`;
};

const isGivenUp = ({ metadata: { deletionTimestamp } }: DrainPod, { giveUpSeconds = 0, now }: DrainFacts): boolean =>
  giveUpSeconds > 0 &&
  deletionTimestamp !== undefined &&
  Math.trunc((now.getTime() - Date.parse(deletionTimestamp)) / 1000) > giveUpSeconds;

/** Pods that a drain leaves alone regardless of rules. A pod whose DaemonSet is gone is not one of them. */
const isLeftAlone = (pod: DrainPod, facts: DrainFacts): boolean => {
  const daemonSet = daemonSetOf(pod);
  return (
    isGivenUp(pod, facts) ||
    (daemonSet !== undefined && facts.daemonSets.has(daemonSet)) ||
    MIRROR_POD in (pod.metadata.annotations ?? {})
  );
};

/** The behaviour according to the label of the pod itself; any other value is ignored. */
const labelled = ({ metadata }: DrainPod): Behavior | undefined => {
  const value = metadata.labels?.[DRAIN_LABEL]?.toLowerCase();
  if (value === 'skip') return 'Skip';
  return value?.replace('-', '') === 'waitcompleted' ? 'WaitCompleted' : undefined;
};

const judge = (pod: DrainPod, facts: DrainFacts): Verdict | 'homeless' => {
  if (isLeftAlone(pod, facts)) return { pod, behavior: 'Skip', order: 0 };
  const own = labelled(pod);
  if (own) return { pod, behavior: own, order: 0 };
  const namespace = facts.namespaces.get(pod.metadata.namespace);
  if (!namespace) return 'homeless';
  const { behavior = 'Drain', order = 0 } = ruleOf(facts.rules, pod.metadata.labels, namespace)?.spec.drain ?? {};
  return { pod, behavior, order: behavior === 'Drain' ? order : 0 };
};

/** What a drain does with each pod, or why it cannot start. Pods are in the order of their names. */
export const judgePods = (
  pods: readonly DrainPod[],
  facts: DrainFacts,
): { verdicts: readonly Verdict[] } | { problem: string } => {
  const sorted = [...pods].sort((a, b) => (podKey(a) < podKey(b) ? -1 : 1));
  const judged = sorted.map((pod) => ({ pod, verdict: judge(pod, facts) }));
  const homeless = judged.filter(({ verdict }) => verdict === 'homeless').map(({ pod }) => podKey(pod));
  if (homeless.length > 0) {
    const names = homeless.slice(0, 10).join(', ');
    return { problem: `failed to get Pods for eviction: Pods with error "Pod Namespace does not exist": ${names}` };
  }
  return { verdicts: judged.flatMap(({ verdict }) => (verdict === 'homeless' ? [] : [verdict])) };
};
