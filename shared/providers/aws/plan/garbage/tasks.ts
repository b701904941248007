import type { KubeObject } from '../../../../kube-api/object.ts';

/**
 * Upstream's annotation of an AWSCluster: with `false`, everything that controllers in the cluster have created is
 * kept.
 */
export const GC_ANNOTATION = 'aws.cluster.x-k8s.io/external-resource-gc';

/** Upstream's annotation of an AWSCluster: what is collected, comma-separated; everything if it is missing. */
const GC_TASKS_ANNOTATION = 'aws.cluster.x-k8s.io/external-resource-tasks-gc';

export const GC_TASKS = ['load-balancer', 'target-group', 'security-group'] as const;
export type GcTask = (typeof GC_TASKS)[number];

/** The values that Go's strconv.ParseBool accepts. */
const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const FALSE = ['0', 'f', 'F', 'FALSE', 'false', 'False'];

/** What must be collected. Throws if the annotation is not a boolean: a deletion must not guess. */
export const gcTasksOf = (awsCluster: Pick<KubeObject, 'metadata'> | undefined): readonly GcTask[] => {
  const { [GC_ANNOTATION]: wanted = 'true', [GC_TASKS_ANNOTATION]: tasks } = awsCluster?.metadata.annotations ?? {};
  if (FALSE.includes(wanted)) return [];
  if (!TRUE.includes(wanted)) throw new RangeError(`annotation ${GC_ANNOTATION} must be true or false, not ${wanted}`);
  if (tasks === undefined) return GC_TASKS;
  const named = tasks.split(',').map((task) => task.trim());
  return GC_TASKS.filter((task) => named.includes(task));
};
