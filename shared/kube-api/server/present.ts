import { apiVersionOf } from '../decode.ts';
import type { JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { badRequest } from '../status-error.ts';
import { type IncludeObject, partialMetadata, tableOf } from '../table/table.ts';
import type { Call } from './call.ts';
import { type RespondOptions, respond } from './respond.ts';

/** An object in the form that the client asked for. */
export const presentObject = (call: Call, object: KubeObject, { definitions = true } = {}): unknown => {
  const { as } = call.accepted;
  if (as === 'Table') {
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return tableOf(call.resource, [object], { metadata, now: call.clock.now(), include: includeOf(call), definitions });
  }
  return as === 'Object' ? object : partialMetadata(object);
};

export const respondObject = (call: Call, object: KubeObject, options: RespondOptions = {}): Response =>
  respond(presentObject(call, object), { format: call.accepted.format, ...options });

/** A list in the form that the client asked for. */
export const respondList = (call: Call, items: readonly KubeObject[], metadata: JsonObject): Response => {
  const { resource, accepted, clock } = call;
  const { format, as } = accepted;
  const include = includeOf(call);
  if (as === 'Table') return respond(tableOf(resource, items, { metadata, now: clock.now(), include }), { format });
  if (as === 'Object') return respond(listOf(resource, items, metadata), { format });
  const partial = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata };
  return respond({ ...partial, items: items.map(partialMetadata) }, { format });
};

export const listOf = (
  resource: ResourceDefinition,
  items: readonly KubeObject[],
  metadata: JsonObject,
): JsonObject => ({
  kind: `${resource.kind}List`,
  apiVersion: apiVersionOf(resource),
  metadata,
  items,
});

const includeOf = ({ query }: Call): IncludeObject => {
  const value = query.get('includeObject') || 'Metadata';
  if (value === 'Object' || value === 'Metadata' || value === 'None') return value;
  throw badRequest(`unrecognized includeObject value: ${JSON.stringify(value)}`);
};
