import { isObject } from '../json.ts';
import type { Registry } from '../registry/registry.ts';
import type { Action, ResourceDefinition } from '../resource.ts';
import { badRequest, methodNotSupported, notFound, nothingThere, StatusError } from '../status-error.ts';
import { verbOf } from './authorize.ts';
import { readBody } from './body.ts';
import { type Call, keyOf } from './call.ts';
import { remove, removeCollection } from './delete.ts';
import { answerNowhere } from './nowhere.ts';
import { readDryRun } from './query.ts';
import { get, list } from './read.ts';
import { respond } from './respond.ts';
import { scale } from './scale.ts';
import type { Target } from './target.ts';
import { watch } from './watch.ts';
import { create, patch, replace, replaceFinalizers } from './write.ts';

/** POST to an action of an object. */
const act = async (call: Call): Promise<Response> => {
  const { resource, registry, subresource = '', name, clock, query, accepted } = call;
  const action = resource.actions?.[subresource];
  if (!action) throw notFound(resource, String(name));
  const body = await readBody(call.request);
  if (!isObject(body)) throw badRequest(`the body of the request must be ${action.kind}`);
  const dryRun = readDryRun(query, 'CreateOptions');
  // A definition does not say what its actions use: that is the registry that serves it.
  const { run } = action as Action<Registry>;
  const answer = await run({ registry, key: keyOf(call), body, dryRun, now: clock.now() });
  return respond(answer, { status: 201, format: accepted.format });
};

type Verb = (call: Call) => Promise<Response>;
type Verbs = Readonly<Record<string, Verb>>;

export const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const LISTS: Verbs = { GET: list, HEAD: list };
const COLLECTION: Verbs = { ...LISTS, POST: create, DELETE: removeCollection };
const OBJECT: Verbs = { GET: get, HEAD: get, PUT: replace, PATCH: patch, DELETE: remove };
const STATUS: Verbs = { GET: get, HEAD: get, PUT: replace, PATCH: patch };
const FINALIZE: Verbs = { PUT: replaceFinalizers };
const ACTION: Verbs = { POST: act };
const SCALE: Verbs = { GET: scale, HEAD: scale, PUT: scale, PATCH: scale };

/** The calls that the target allows, by method. Across namespaces there are only lists. */
const verbsOf = ({ resource, namespace, name, subresource }: Target): Verbs => {
  if (name === undefined) return resource.namespaced && namespace === '' ? LISTS : COLLECTION;
  if (subresource === undefined) return OBJECT;
  if (subresource === 'status' && resource.statusSubresource) return STATUS;
  if (subresource === 'finalize' && resource.finalize) return FINALIZE;
  if (subresource === 'scale' && resource.scale) return SCALE;
  if (Object.hasOwn(resource.actions ?? {}, subresource)) return ACTION;
  throw resource.builtIn ? nothingThere() : notFound(resource, name);
};

const refuseWrite = (resource: ResourceDefinition, verb: string): StatusError => {
  const { code, reason, message, details } = methodNotSupported({ ...resource, builtIn: false }, verb);
  return new StatusError(code, reason, `${message}: they are part of this server and can only be read`, details);
};

/** Custom resources are resolved by the path of a request, before an unsupported method is refused. */
const refusalOf = (call: Call): StatusError => {
  const { resource, name, request } = call;
  const isOfCollection = name === undefined && (request.method === 'PUT' || request.method === 'PATCH');
  if (isOfCollection && !resource.builtIn) return badRequest('name must be provided');
  return methodNotSupported(resource, verbOf(request.method, call, false));
};

/** The function that answers the call. Throws a StatusError if there is none. */
export const verbFor = (call: Call, watching: boolean): Verb => {
  const { request, resource, name, namespace } = call;
  const verb = verbOf(request.method, call, watching);
  if (resource.readOnly && !READS.has(request.method)) throw refuseWrite(resource, verb);
  if (watching && request.method === 'GET') return watch;
  // Upstream serves HEAD only for custom resources.
  const isHeadless = resource.builtIn && request.method === 'HEAD';
  const verbs = verbsOf(call);
  const answer = isHeadless || resource.withoutVerbs?.includes(verb) ? undefined : verbs[request.method];
  if (answer) return answer;
  const isAcrossNamespaces = resource.namespaced && namespace === '' && name === undefined;
  const isWrite = request.method === 'POST' || request.method === 'DELETE';
  if (!resource.builtIn && isAcrossNamespaces && isWrite) return async () => answerNowhere([resource], call.path);
  throw refusalOf(call);
};
