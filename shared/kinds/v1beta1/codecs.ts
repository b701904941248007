import { isObject, type JsonObject } from '../../kube-api/json.ts';
import type { Codec } from './rules.ts';

const textAt = (value: unknown, key: string): string | undefined => {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
};

/**
 * The version in which v1beta1 refers to a kind: CAPA's kinds only have v1beta2. External providers that read v1beta1
 * of the core were released with it, and have it.
 */
const versionOf = (group: string, kind = ''): string =>
  group === 'infrastructure.cluster.x-k8s.io' && kind.startsWith('AWS') ? 'v1beta2' : 'v1beta1';

const groupOf = (apiVersion: string): string | undefined =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : undefined;

const withNamespace = (value: unknown, namespace: string): unknown =>
  isObject(value) && namespace !== '' && value.namespace === undefined ? { ...value, namespace } : value;

/** core/v1 ObjectReference, of which v1beta2 keeps group, kind and name. */
export const objectReference: Codec = {
  toNew: (value) =>
    isObject(value)
      ? {
          apiGroup: groupOf(textAt(value, 'apiVersion') ?? ''),
          kind: textAt(value, 'kind'),
          name: textAt(value, 'name'),
        }
      : undefined,
  toOld: (value, { namespace }) => {
    if (!isObject(value)) return undefined;
    const { apiGroup: _, ...named } = value;
    const group = textAt(value, 'apiGroup');
    return withNamespace(
      { ...(group ? { apiVersion: `${group}/${versionOf(group, textAt(value, 'kind'))}` } : {}), ...named },
      namespace,
    );
  },
  complete: (value, { namespace }) => withNamespace(value, namespace),
};

/** A reference that keeps its version in v1beta2 and loses its namespace. */
export const templateReference: Codec = {
  toNew: (value) => value,
  toOld: (value, { namespace }) => withNamespace(value, namespace),
  complete: (value, { namespace }) => withNamespace(value, namespace),
};

/** `status.nodeRef`, of which v1beta2 keeps the name. */
export const nodeReference: Codec = {
  toNew: (value) => (isObject(value) ? { name: textAt(value, 'name') } : undefined),
  toOld: (value) => (isObject(value) ? { apiVersion: 'v1', kind: 'Node', ...value } : undefined),
};

/** The type of a rollout's strategy, which v1beta2 requires for the numbers of a rolling update. */
export const strategyType: Codec = {
  toNew: (value) => value,
  toOld: (value) => value,
  complete: (value, _, { rollingUpdate }) => value ?? (hasNumbers(rollingUpdate) ? 'RollingUpdate' : undefined),
};

/** v1beta2 has the other members of a rolling update in other places. */
const hasNumbers = (rollingUpdate: unknown): boolean =>
  isObject(rollingUpdate) && [rollingUpdate.maxSurge, rollingUpdate.maxUnavailable].some((one) => one !== undefined);

const byName = (a: JsonObject, b: JsonObject): number => (String(a.name) < String(b.name) ? -1 : 1);

/** Command line flags: a map in v1beta1, a list of names and values in v1beta2. */
export const args: Codec = {
  toNew: (value) =>
    isObject(value)
      ? Object.entries(value)
          .map(([name, text]): JsonObject => ({ name, value: text }))
          .sort(byName)
      : undefined,
  toOld: (value) =>
    Array.isArray(value)
      ? Object.fromEntries(value.filter(isObject).map((arg) => [String(arg.name), arg.value]))
      : undefined,
};

/** Failure domains: a map by name in v1beta1, a list in v1beta2. */
export const failureDomainMap: Codec = {
  toNew: (value) =>
    isObject(value)
      ? Object.entries(value)
          .map(([name, domain]): JsonObject => ({ name, ...(isObject(domain) ? domain : {}) }))
          .sort(byName)
      : undefined,
  toOld: (value) =>
    Array.isArray(value)
      ? Object.fromEntries(value.filter(isObject).map(({ name, ...domain }) => [String(name), domain]))
      : undefined,
};
