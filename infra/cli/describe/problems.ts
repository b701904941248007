import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { adviceFor } from './advice.ts';
import {
  type AnyCondition,
  conditionsOf,
  heldOf,
  isGood,
  isHindrance,
  isMissing,
  isNegative,
  isSummary,
} from './conditions.ts';
import type { ClusterObjects } from './objects.ts';

/** A condition that differs from that of a healthy object at rest. */
export interface Problem {
  /** The objects that have it, such as `Machine demo-md-0-x7k2p`: the same problem of several is listed once. */
  objects: readonly string[];
  /** Type of the condition. */
  type: string;
  reason: string;
  /** Whole, with all its lines. */
  message: string;
  /** Since when, of the object that has had it for the longest time: RFC 3339, or empty. */
  since: string;
  /** According to the condition, waiting does not solve it. */
  isError: boolean;
  /** What to try. */
  next?: string;
}

/** Of a connection that has not been made yet, upstream reports the reason of one that failed. */
const NOT_YET = /not established yet/;

/** Drift that the policy of the cluster does not repair (shared/plan/drift/claims.ts). */
const STAYS = /this is only reported/;

const ERROR_REASON = /(?:Failed|Error|Denied|NotFound|Unhealthy|Invalid\w*)$/;

interface Finding extends Problem {
  isSummary: boolean;
}

const findingOf = ({ kind, metadata }: KubeObject, condition: AnyCondition): Finding => {
  const { type, reason = '', message = '', lastTransitionTime: since = '', severity, status } = condition;
  const isEarly = NOT_YET.test(message);
  const next = isEarly ? undefined : adviceFor({ type, reason, message });
  return {
    objects: [`${kind} ${metadata.name}`],
    type,
    reason,
    message: message.trim(),
    since,
    isError:
      severity === 'Error' ||
      isMissing(condition) ||
      STAYS.test(message) ||
      (!isEarly && status !== 'Unknown' && ERROR_REASON.test(reason)),
    ...(next === undefined ? {} : { next }),
    isSummary: isSummary(condition),
  };
};

const isProblem = (condition: AnyCondition): boolean =>
  !isGood(condition) && (!isNegative(condition) || isHindrance(condition));

/** The conditions to list. What an object refers to disappears before it if both are deleted. */
const listed = (object: KubeObject): AnyCondition[] => {
  const isDeleting = object.metadata.deletionTimestamp !== undefined;
  const all = conditionsOf(object).filter((one) => isProblem(one) && !(isDeleting && isMissing(one)));
  // A Cluster repeats what its control plane and its MachineDeployments wait for.
  const held = object.kind === 'Cluster' ? undefined : heldOf(object);
  return held === undefined ? all : [...all, held];
};

const isSame = (a: Problem, b: Problem): boolean =>
  a.type === b.type && a.reason === b.reason && a.message === b.message;

const merge = (all: readonly Problem[], { isSummary: _, ...found }: Finding): Problem[] => {
  const at = all.findIndex((one) => isSame(one, found));
  if (at < 0) return [...all, found];
  return all.map((one, index) =>
    index === at
      ? {
          ...one,
          objects: [...one.objects, ...found.objects],
          since: one.since < found.since ? one.since : found.since,
        }
      : one,
  );
};

const byWeight = (a: Problem, b: Problem): number =>
  Number(b.isError) - Number(a.isError) || (a.since < b.since ? -1 : Number(a.since > b.since));

/**
 * The problems of a cluster and what it waits for: errors first, then the longest lasting. Summary conditions are
 * omitted if the summarized ones are listed.
 */
export const problemsOf = (objects: ClusterObjects): Problem[] => {
  const { cluster, infrastructure, controlPlane, deployments, pools, machines, instances } = objects;
  const found = [
    ...instances.values(),
    ...machines,
    ...(infrastructure ? [infrastructure] : []),
    ...(controlPlane ? [controlPlane] : []),
    ...deployments,
    ...pools,
    cluster,
  ].flatMap((object) => listed(object).map((condition) => findingOf(object, condition)));
  const details = found.filter((one) => !one.isSummary);
  return (details.length > 0 ? details : found).reduce<Problem[]>(merge, []).sort(byWeight);
};
