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
  /**
   * The objects with the problem, such as `Machine demo-md-0-x7k2p`: the same problem of several objects is listed
   * once.
   */
  objects: readonly string[];
  /** The type of the condition. */
  type: string;
  reason: string;
  /** The complete message, with all its lines. */
  message: string;
  /** The start of the problem on the object that has had it longest: RFC 3339, or empty. */
  since: string;
  /** Whether, according to the condition, waiting does not help. */
  isError: boolean;
  /** A possible next step. */
  next?: string;
}

/** If no connection has been made yet, upstream reports the same reason as for a failed one. */
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

/**
 * The conditions to list. If an object is being deleted, those that refer to other objects are left out, because these
 * disappear before it.
 */
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
 * The problems of a cluster and the reasons why it waits: errors first, then the longest lasting. A summary condition
 * is omitted if the conditions that it summarizes are listed.
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
