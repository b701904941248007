import { apiVersionOf } from '../decode.ts';
import type { JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { badRequest, type StatusError } from '../status-error.ts';
import { type IncludeObject, partialMetadata, tableOf } from '../table/table.ts';
import { type Accepted, notAcceptable } from './accept.ts';
import type { Call } from './call.ts';
import { type RespondOptions, respond } from './respond.ts';

/**
 * Throws a StatusError 400 if the options of the requested form are invalid, because a watch cannot refuse them later.
 */
export const checkForm = (call: Call): void => {
  if (call.accepted.as === 'Table') includeOf(call);
};

/** What determines the form of a response. */
type Asked = Pick<Call, 'resource' | 'accepted' | 'query'> & { clock: Pick<Call['clock'], 'now'> };

/** An object in the form that the client requested. */
export const presentObject = (call: Asked, object: KubeObject, { definitions = true } = {}): unknown => {
  const { as, version } = call.accepted;
  if (as === 'Table') {
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    const options = { metadata, now: call.clock.now(), include: includeOf(call), definitions, version };
    return tableOf(call.resource, [object], options);
  }
  return as === 'Object' ? object : partialMetadata(object, version);
};

export const respondObject = (call: Asked, object: KubeObject, options: RespondOptions = {}): Response => {
  const { resource, accepted } = call;
  if (accepted.as === 'PartialObjectMetadataList') throw wrongForm(accepted, `not a list (${typeOf(resource)})`);
  return respond(presentObject(call, object), { format: accepted.format, ...options });
};

/** Upstream's message contains the type of the object in its program. */
const typeOf = ({ builtIn, group, kind, view }: ResourceDefinition, list = ''): string =>
  builtIn
    ? `*${(view?.storage.group ?? group).split('.')[0] || 'core'}.${kind}${list}`
    : `*unstructured.Unstructured${list}`;

const wrongForm = ({ as }: Accepted, is: string): StatusError =>
  notAcceptable(`you requested ${as}, but the requested object is ${is}`);

/** A list in the form that the client requested. */
export const respondList = (call: Call, items: readonly KubeObject[], metadata: JsonObject): Response => {
  const { resource, accepted, clock } = call;
  const { format, as, version } = accepted;
  const include = includeOf(call);
  if (as === 'Table') {
    return respond(tableOf(resource, items, { metadata, now: clock.now(), include, version }), { format });
  }
  if (as === 'PartialObjectMetadata') throw wrongForm(accepted, `a list (${typeOf(resource, 'List')})`);
  if (as === 'Object') return respond(listOf(resource, items, metadata), { format });
  const partial = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata };
  const shown = items.map((item) => partialMetadata(item, version));
  // Go writes an empty list as null.
  return respond({ ...partial, items: shown.length > 0 ? shown : null }, { format });
};

const listOf = (resource: ResourceDefinition, items: readonly KubeObject[], metadata: JsonObject): JsonObject => ({
  kind: `${resource.kind}List`,
  apiVersion: apiVersionOf(resource),
  metadata,
  items: resource.builtIn ? items.map(withoutType) : items,
});

/** Items of built-in kinds omit the apiVersion and kind of the list. */
const withoutType = ({ apiVersion: _, kind: __, ...rest }: KubeObject): JsonObject => rest;

const includeOf = ({ query }: Asked): IncludeObject => {
  const value = query.get('includeObject') || 'Metadata';
  if (value === 'Object' || value === 'Metadata' || value === 'None') return value;
  const wrong = `includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: ${wrong}`);
};
