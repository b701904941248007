import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../kube-api/json.ts';

/**
 * The parts of v1beta1's status that Windlass itself never writes: its conditions and counters. They are derived from
 * those of v1beta2, unless a client has written others (`status.deprecated.v1beta1`).
 */
export interface LegacyStatus {
  /** Types of v1beta2's conditions by v1beta1's types with the same meaning. */
  conditions: Readonly<Record<string, string>>;
  counters?: readonly Counter[];
  /** Conditions that are derived from more than one of v1beta2's, from the body in v1beta1. */
  more?(body: JsonObject): JsonObject[];
}

type Counter =
  | 'readyReplicas'
  | 'availableReplicas'
  | 'updatedReplicas'
  | 'unavailableReplicas'
  | 'fullyLabeledReplicas';

const countAt = (status: JsonObject, name: string): number | undefined =>
  typeof status[name] === 'number' ? status[name] : undefined;

const COUNTS: Readonly<Record<Counter, (status: JsonObject, newer: JsonObject) => number | undefined>> = {
  readyReplicas: (_, newer) => countAt(newer, 'readyReplicas'),
  availableReplicas: (_, newer) => countAt(newer, 'availableReplicas'),
  updatedReplicas: (_, newer) => countAt(newer, 'upToDateReplicas'),
  fullyLabeledReplicas: (status) => countAt(status, 'replicas'),
  unavailableReplicas: (status, newer) => {
    const [all, available] = [countAt(status, 'replicas'), countAt(newer, 'availableReplicas')];
    return all === undefined || available === undefined ? undefined : Math.max(0, all - available);
  },
};

/** As in v1beta1, a reason and a severity are only set if something is wrong. */
const legacyCondition = (type: string, { status, lastTransitionTime, reason, message }: JsonObject): JsonObject => ({
  type,
  status,
  lastTransitionTime,
  ...(status === 'True' ? {} : { reason }),
  ...(status === 'False' ? { severity: 'Info' } : {}),
  ...(status !== 'True' && typeof message === 'string' && message !== '' ? { message: message.slice(0, 10240) } : {}),
});

const derive = ({ conditions, counters = [], more }: LegacyStatus, body: JsonObject): JsonObject => {
  const status = isObject(body.status) ? body.status : {};
  const newer = isObject(status.v1beta2) ? status.v1beta2 : {};
  const known = Array.isArray(newer.conditions) ? newer.conditions.filter(isObject) : [];
  const same = Object.entries(conditions).flatMap(([type, source]) => {
    const found = known.find((condition) => condition.type === source);
    return found ? [legacyCondition(type, found)] : [];
  });
  const told = [...same, ...(more?.(body) ?? [])];
  const counted = counters.flatMap((name) => {
    const count = COUNTS[name](status, newer);
    return count === undefined ? [] : [[name, count] as const];
  });
  return { ...(told.length > 0 ? { conditions: told } : {}), ...Object.fromEntries(counted) };
};

/** The body with derived values, unless it has its own. */
export const withLegacyStatus = (legacy: LegacyStatus, body: object): object => {
  const { status, ...rest } = body as { status?: unknown };
  return isObject(status) ? { ...rest, status: { ...derive(legacy, body as JsonObject), ...status } } : body;
};

/** The body without values that can be derived from the rest of it. */
export const withoutLegacyStatus = (legacy: LegacyStatus, body: object): object => {
  const { status, ...rest } = body as { status?: unknown };
  if (!isObject(status)) return body;
  const derived = derive(legacy, body as JsonObject);
  const kept = Object.entries(status).filter(([key, value]) => !isDeepStrictEqual(value, derived[key]));
  return { ...rest, status: Object.fromEntries(kept) };
};
