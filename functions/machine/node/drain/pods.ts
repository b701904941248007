import { type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import type { DrainPod } from '../../../../shared/plan/drain/facts.ts';
import { daemonSetOf, judgePods, type Verdict } from '../../../../shared/plan/drain/pods.ts';
import { rulesFor } from '../../../../shared/plan/drain/rules.ts';
import type { DrainApi } from '../../../../shared/workload/drain.ts';
import { DrainError } from './drain-error.ts';
import type { Look } from './look.ts';

const existingDaemonSets = async (drain: DrainApi, pods: readonly DrainPod[]): Promise<Set<string>> => {
  const named = [...new Set(pods.flatMap((pod) => daemonSetOf(pod) ?? []))];
  const found = await Promise.all(
    named.map(async (key) => {
      const [namespace = '', name = ''] = key.split('/');
      return (await drain.hasDaemonSet(namespace, name)) ? [key] : [];
    }),
  );
  return new Set(found.flat());
};

/** Reads the pods of a node and everything that determines how they are handled. Throws DrainError. */
export const readVerdicts = async (
  { deps, machine, snapshot }: Look,
  drain: DrainApi,
  nodeName: string,
  giveUpSeconds?: number,
): Promise<readonly Verdict[]> => {
  const pods = await drain.podsOn(nodeName);
  if (pods.length === 0) return [];
  const [namespaces, daemonSets, rules] = await Promise.all([
    drain.namespaces(),
    existingDaemonSets(drain, pods),
    deps.objects.list(kinds.machineDrainRule, machine.metadata.namespace),
  ]);
  const judged = judgePods(pods, {
    rules: rulesFor(rules, machine, snapshot.cluster as Cluster),
    namespaces,
    daemonSets,
    now: deps.clock.now(),
    ...(giveUpSeconds === undefined ? {} : { giveUpSeconds }),
  });
  if ('problem' in judged) throw new DrainError(judged.problem);
  return judged.verdicts;
};
