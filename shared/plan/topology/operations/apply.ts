import { planApply } from '../../../kube-api/apply/plan-apply.ts';
import { isObject, withoutUndefined } from '../../../kube-api/json.ts';
import type { ResourceDefinition } from '../../../kube-api/resource.ts';
import { simpleName } from '../desired/names.ts';
import { TopologyError } from '../error.ts';
import type { KindOf } from '../kinds.ts';
import type { AnyObject } from '../objects.ts';
import { valueAt } from '../path.ts';
import { type ApplyObject, keyOfObject, type LiveTopology, TOPOLOGY_MANAGER, type TopologyEvent } from './model.ts';

export interface Facts {
  live: LiveTopology;
  now: Date;
  kindOf: KindOf;
}

/** Throws TopologyError, with upstream's text, for a kind that is not served. */
export const resourceOf = (kindOf: KindOf, object: AnyObject): ResourceDefinition => {
  const resource = kindOf(object);
  if (!resource) throw new TopologyError(`no matches for kind "${object.kind}" in version "${object.apiVersion}"`);
  return resource;
};

/** `"team/demo-x"`, Go's format of an object's namespace and name. */
export const placeOf = ({ metadata: { namespace = '', name } }: AnyObject): string => `"${namespace}/${name}"`;

const ENDPOINT = ['spec', 'controlPlaneEndpoint'] as const;

/** The intent without an empty endpoint, which Go writes (IgnorePaths in internal/contract). */
const withoutEmptyEndpoint = (object: AnyObject): AnyObject => {
  const endpoint = valueAt(object, ENDPOINT);
  if (!isObject(endpoint)) return object;
  const given = Object.entries(endpoint).filter(
    ([key, value]) => !(key === 'host' && value === '') && !(key === 'port' && value === 0),
  );
  const { controlPlaneEndpoint: _, ...spec } = object.spec ?? {};
  return {
    ...object,
    spec: given.length > 0 ? { ...spec, controlPlaneEndpoint: Object.fromEntries(given) } : spec,
  };
};

const intentOf = (object: AnyObject, live: AnyObject | undefined): AnyObject => {
  const { apiVersion, kind, metadata, spec } = withoutEmptyEndpoint(object);
  const { name, namespace, labels, annotations, ownerReferences } = metadata;
  const uid = live?.metadata.uid;
  return withoutUndefined({
    apiVersion,
    kind,
    metadata: { name, namespace, uid, labels, annotations, ownerReferences },
    spec,
  }) as AnyObject;
};

export const event = (
  reason: TopologyEvent['reason'],
  message: string,
  on: TopologyEvent['on'] = 'Cluster',
): TopologyEvent => ({ reason, message, on });

const quoted = (value: unknown): string => JSON.stringify(String(value ?? ''));

/** An existing object is changed only into one of the same kind (internal/topology/check/compatibility.go). */
const requireSameKind = (current: AnyObject | undefined, desired: AnyObject): void => {
  if (!current) return;
  const groupOf = ({ apiVersion }: AnyObject) => apiVersion.split('/')[0] ?? '';
  const is = `${current.kind}.${groupOf(current)}/${current.metadata.name}`;
  const why = 'to prevent incompatible changes in the Cluster';
  const changed = (field: string, what: string, from: string, to: string) =>
    new TopologyError(
      `metadata.${field}: Forbidden: ${what} of ${is} cannot be changed from ${quoted(from)} to ${quoted(to)} ${why}`,
    );
  if (groupOf(current) !== groupOf(desired))
    throw changed('apiVersion', 'apiVersion.group', groupOf(current), groupOf(desired));
  if (current.kind !== desired.kind) throw changed('kind', 'apiVersion.kind', current.kind, desired.kind);
};

/**
 * The operation that gives an object its desired state; undefined if it already has it. `words`: the event's text
 * around the name of the object.
 */
export const applyObject = (
  { live, now, kindOf }: Facts,
  desired: AnyObject,
  words: { on?: TopologyEvent['on']; after?: string } = {},
): ApplyObject | undefined => {
  const resource = resourceOf(kindOf, desired);
  const current = live.objects.get(keyOfObject(desired));
  const intent = intentOf(desired, current);
  const { object, changes } = planApply(resource, current, intent, TOPOLOGY_MANAGER, now);
  if (!changes) return undefined;
  const [reason, verb] = current ? (['TopologyUpdate', 'Updated'] as const) : (['TopologyCreate', 'Created'] as const);
  const message = `${verb} ${desired.kind} ${placeOf(desired)}${current ? (words.after ?? '') : ''}`;
  return { do: 'apply', resource, intent, result: object as AnyObject, event: event(reason, message, words.on) };
};

/** Like `applyObject`, for an object to which a Cluster already refers. It must have the same kind. */
export const applyReferenced = (
  facts: Facts,
  current: AnyObject | undefined,
  desired: AnyObject,
  after?: string,
): ApplyObject | undefined => {
  requireSameKind(current, desired);
  return applyObject(facts, desired, after === undefined ? {} : { after });
};

/** The result for a template: its name, and the necessary operations. */
export interface AppliedTemplate {
  template: AnyObject;
  operation: ApplyObject | undefined;
}

/** Keys are in alphabetical order, so that equal specs have equal texts. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );

/**
 * Applies the desired state of a template. If its spec changes, the template is replaced by another one, so that
 * machines roll out; changed labels and annotations are applied to the existing template (reconcileReferencedTemplate).
 * The name of the replacement is derived from its spec, so that a second run finds the template that the first one has
 * created. It is also derived from the complete `base`: a long name contains only its beginning, so two groups, or a
 * group and the control plane, would otherwise share it.
 */
export const applyTemplate = (facts: Facts, desired: AnyObject, base: string): AppliedTemplate => {
  const { live, now, kindOf } = facts;
  const current = live.objects.get(keyOfObject(desired));
  const resource = resourceOf(kindOf, desired);
  if (!current) return { template: desired, operation: applyObject(facts, desired) };
  const { changes, changesSpec } = planApply(resource, current, intentOf(desired, current), TOPOLOGY_MANAGER, now);
  if (!changes) return { template: desired, operation: undefined };
  if (!changesSpec)
    return { template: desired, operation: applyObject(facts, desired, { after: ' (metadata changes)' }) };
  const name = simpleName(live.cluster, base, `${base}/${desired.kind}/${textOf(desired.spec)}`);
  const template = { ...desired, metadata: { ...desired.metadata, name } };
  const operation = applyObject(facts, template);
  if (!operation) return { template, operation };
  const message = `Created ${desired.kind} ${placeOf(template)} as a replacement for ${quoted(desired.metadata.name)} (template rotation)`;
  return { template, operation: { ...operation, event: event('TopologyCreate', message) } };
};
