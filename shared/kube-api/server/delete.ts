import { isObject, type JsonObject } from '../json.ts';
import { isNamespaces } from '../registry/namespaces.ts';
import type { DeleteOptions, Written } from '../registry/registry.ts';
import type { FieldError, OpenApiSchema, ResourceDefinition } from '../resource.ts';
import { findUndecodable } from '../schema/undecodable.ts';
import { badRequest, type Status, StatusError } from '../status-error.ts';
import { readBody } from './body.ts';
import { type Call, keyOf } from './call.ts';
import { respondList, respondObject } from './present.ts';
import { isDryRun, readCount, readDryRun, readFlag, unsupported, wrongOptions } from './query.ts';
import { listMetadata, listSelected } from './read.ts';
import { addWarnings, respond } from './respond.ts';

/** DELETE of one object: returns a Status if it is gone, or the object if finalizers hold it. */
export const remove = async (call: Call): Promise<Response> => {
  const key = keyOf(call);
  const { isCascading, ...options } = await readDeleteOptions(call);
  const written = await call.registry.delete(call.resource, key, options);
  const isLeft = written.outcome !== 'removed';
  // For a namespace, upstream returns its current state and not a success status.
  if (isLeft || isNamespaces(call.resource) || call.resource.returnsDeleted)
    return respondObject(call, written.object, {
      warnings: written.warnings,
      ...(isLeft && isCascading ? { status: 202 } : {}),
    });
  return respond(success(call.resource, written), { format: call.accepted.format, warnings: written.warnings });
};

const success = ({ group, plural }: ResourceDefinition, { object }: Written): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: {
    name: object.metadata.name,
    ...(group === '' ? {} : { group }),
    kind: plural,
    uid: object.metadata.uid,
  },
});

/** DELETE of a collection: deletes every object that a list would show, one after the other, and returns that list. */
export const removeCollection = async (call: Call): Promise<Response> => {
  // The effects of each deletion are not reported for a collection, because they would have to be planned for each
  // object.
  const { isCascading: _, ...options } = { ...(await readDeleteOptions(call)), explain: undefined };
  const { registry, resource } = call;
  const found = await listSelected(call);
  const { items } = found;
  const warnings: string[] = [];
  for (const { metadata } of items) {
    try {
      const key = { namespace: metadata.namespace ?? '', name: metadata.name };
      warnings.push(...(await registry.delete(resource, key, options)).warnings);
    } catch (error) {
      // Another client has deleted it in the meantime.
      if (!(error instanceof StatusError && error.reason === 'NotFound')) throw error;
    }
  }
  const response = respondList(call, items, listMetadata(call, found));
  addWarnings(response, warnings);
  return response;
};

const DELETE_OPTIONS: OpenApiSchema = {
  type: 'object',
  properties: {
    kind: { type: 'string' },
    gracePeriodSeconds: { type: 'integer', format: 'int64' },
    orphanDependents: { type: 'boolean' },
    propagationPolicy: { type: 'string' },
    dryRun: { type: 'array', items: { type: 'string' } },
    preconditions: {
      type: 'object',
      properties: { uid: { type: 'string' }, resourceVersion: { type: 'string' } },
    },
  },
};

const acceptOptions = (body: unknown): JsonObject => {
  if (!isObject(body)) throw badRequest('the body of a DELETE has to be DeleteOptions');
  const undecodable = findUndecodable(DELETE_OPTIONS, body, { struct: 'DeleteOptions', path: '' });
  if (undecodable !== undefined) throw badRequest(undecodable);
  // A body without a kind is treated as DeleteOptions.
  if (!body.kind || body.kind === 'DeleteOptions') return body;
  throw badRequest(`the body of a DELETE has to be DeleteOptions, not ${body.kind}`);
};

const optionsOfQuery = (query: URLSearchParams): JsonObject => ({
  propagationPolicy: query.get('propagationPolicy'),
  orphanDependents: query.has('orphanDependents') ? readFlag(query, 'orphanDependents') : undefined,
  gracePeriodSeconds: readCount(query, 'gracePeriodSeconds'),
  preconditions: query.get('uid') ? { uid: query.get('uid') } : undefined,
});

/**
 * As in upstream, the options come from the body (kubectl), or from the query if there is no body (curl). Only a dry
 * run in the query also counts if there is a body: a client that wants one must not lose objects.
 */
const readDeleteOptions = async ({ request, query }: Call): Promise<DeleteOptions & Cascade> => {
  const body = await readBody(request);
  // Go's decoder treats null as empty options.
  const options = body === undefined ? optionsOfQuery(query) : acceptOptions(body ?? {});
  const problems = policyProblems(options);
  if (problems.length > 0) throw wrongOptions('DeleteOptions', problems);
  const dryRun = Array.isArray(options.dryRun) && isDryRun(options.dryRun.map(String), 'DeleteOptions');
  return {
    dryRun: dryRun || readDryRun(query, 'DeleteOptions'),
    propagationPolicy: policyOf(options),
    isCascading: options.orphanDependents === false,
    preconditions: readPreconditions(options),
    graceSeconds: typeof options.gracePeriodSeconds === 'number' ? options.gracePeriodSeconds : undefined,
  };
};

interface Cascade {
  /**
   * Whether the older form of a cascading deletion is used: if the object is not deleted immediately, the response is
   * 202.
   */
  isCascading: boolean;
}

const POLICIES = ['Foreground', 'Background', 'Orphan'] as const;

const isGiven = (option: unknown): boolean => option !== undefined && option !== null;

const policyProblems = ({ orphanDependents, propagationPolicy: badValue }: JsonObject): FieldError[] => {
  if (!isGiven(badValue)) return [];
  const field = 'propagationPolicy';
  const both = 'orphanDependents and deletionPropagation cannot be both set';
  return [
    ...(isGiven(orphanDependents) ? [{ type: 'FieldValueInvalid', field, badValue, detail: both } as const] : []),
    ...(POLICIES.some((known) => known === badValue) ? [] : [unsupported(field, badValue, [...POLICIES, 'nil'])]),
  ];
};

/** In the older form, `orphanDependents` means Orphan, and `false` means Background. */
const policyOf = ({ orphanDependents, propagationPolicy }: JsonObject): DeleteOptions['propagationPolicy'] => {
  if (!isGiven(orphanDependents)) return POLICIES.find((known) => known === propagationPolicy);
  return orphanDependents === true ? 'Orphan' : 'Background';
};

const readPreconditions = ({ preconditions }: JsonObject): DeleteOptions['preconditions'] => {
  if (!isObject(preconditions)) return undefined;
  const { uid, resourceVersion } = preconditions;
  return {
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
  };
};
