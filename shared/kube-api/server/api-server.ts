import { type Log, silentLog } from '../../log.ts';
import { apiVersionOf } from '../decode.ts';
import type { KubeObject } from '../object.ts';
import { createRegistry, type Registry, type RegistryOptions } from '../registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import { methodNotSupported, StatusError } from '../status-error.ts';
import { servedResources } from '../versions/served.ts';
import { negotiate } from './accept.ts';
import { decide, requireAllowed, verbOf } from './authorize.ts';
import type { Call, WatchSettings } from './call.ts';
import { remove, removeCollection } from './delete.ts';
import { createDiscovery } from './discovery.ts';
import { actingUser } from './impersonate.ts';
import { createOpenApi } from './openapi/openapi.ts';
import { readFlag } from './query.ts';
import { get, list } from './read.ts';
import { attributesOf } from './request-attributes.ts';
import { addWarning, respond, respondFailure, toStatusError } from './respond.ts';
import { answerReview, findReview, isAboutSelf } from './reviews.ts';
import { revocable } from './revocable.ts';
import { scale } from './scale.ts';
import { parseTarget, type Target } from './target.ts';
import type { AccessControl, Attributes, User } from './user.ts';
import { watch } from './watch.ts';
import { create, patch, replace } from './write.ts';

export interface ApiServerOptions extends RegistryOptions, Partial<AccessControl> {
  /** The `gitVersion` of /version: a semantic version with `v`, of the Kubernetes that clients shall take it for. */
  version: string;
  watch: WatchSettings;
  /** Turns what the storage throws into the classes of shared/errors.ts, where it does not do so itself. */
  translateError?(error: unknown): unknown;
  log?: Log;
}

export interface ApiServer {
  /**
   * Answers one request of an authenticated user. Never rejects: failures are Status objects. `basePath` is the part of
   * the client's URLs before `/api`, which `request.url` does not contain.
   */
  fetch(request: Request, user: User, basePath?: string): Promise<Response>;
  readonly registry: Registry;
}

/** A Kubernetes API server for the given resources over the given storage. Everything is allowed without `authorize`. */
export const createApiServer = (options: ApiServerOptions): ApiServer => {
  const { resources, version, log = silentLog, authorize = () => true } = options;
  const registry = createRegistry(options);
  const served = servedResources(resources);
  const discover = createDiscovery(served);
  const describe = createOpenApi(served, version);
  const toFailure = (error: unknown): StatusError =>
    toStatusError(options.translateError ? options.translateError(error) : error, log);

  const answerTarget = async (request: Request, user: User, attributes: Attributes): Promise<Response> => {
    const { pathname, searchParams: query } = new URL(request.url);
    const target = parseTarget(served, pathname);
    if (!target || !isAbout(attributes, target)) throw nowhere();
    // Upstream reads one object by its name, whatever else is asked.
    const watching = readFlag(query, 'watch') && target.name === undefined;
    const call = {
      ...target,
      registry: guarded(registry, user, options.admit),
      clock: options.clock,
      request,
      query,
      accepted: negotiate(request.headers.get('accept')),
      watch: options.watch,
      requireVerb: (verb: string) => requireAllowed(authorize, user, { ...attributes, verb }),
      toFailure,
    };
    const response = await verbFor(call, watching)(call).catch((error) => respondFailure(toFailure(error)));
    return warnDeprecated(target.resource, response);
  };

  const answer = async (request: Request, authenticated: User, basePath: string): Promise<Response> => {
    const { pathname, searchParams: query } = new URL(request.url);
    const caller = (await options.identify?.(authenticated)) ?? authenticated;
    const user = await actingUser(authorize, caller, request.headers);
    const attributes = attributesOf(request.method, pathname, query);
    const review = findReview(attributes);
    if (!review || !isAboutSelf(review)) await requireAllowed(authorize, user, attributes);
    const fixed = answerFixed(pathname, version);
    const { headers } = request;
    const known = fixed ?? describe(pathname, query, basePath, headers) ?? discover(pathname, headers.get('accept'));
    if (known) return request.method === 'GET' || request.method === 'HEAD' ? known : refuseMethod(request.method);
    if (review) return answerReview(review, request, { user, authorize, rulesOf: options.rulesOf });
    const response = await answerTarget(request, user, attributes);
    if (attributes.verb !== 'watch') return response;
    return revocable(response, options.clock, async () => (await decide(authorize, user, attributes)).allowed);
  };

  return {
    registry,
    fetch: async (request, user, basePath = '') => {
      try {
        return await answer(request, user, basePath);
      } catch (error) {
        return respondFailure(toFailure(error));
      }
    },
  };
};

/** Answers in a version on its way out say so, refusals too, in the API server's words for custom resources. */
const warnDeprecated = (resource: ResourceDefinition, response: Response): Response => {
  if (resource.view?.version.deprecated)
    addWarning(response, `${apiVersionOf(resource)} ${resource.kind} is deprecated`);
  return response;
};

const nowhere = (): StatusError =>
  new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});

const refuseMethod = (method: string): never => {
  throw new StatusError(
    405,
    'MethodNotAllowed',
    `the server does not allow this method on the requested resource: ${method}`,
  );
};

/** What was allowed is what is done: both readers of the path agree, or there is nothing at it. */
const isAbout = (asked: Attributes, { resource, namespace, name, subresource }: Target): boolean =>
  asked.group === resource.group &&
  asked.resource === resource.plural &&
  asked.subresource === subresource &&
  (name === undefined || asked.name === name) &&
  (!resource.namespaced || asked.namespace === namespace);

/** The registry for one user: no write may give anybody rights that the user has not. */
const guarded = (registry: Registry, user: User, admit: AccessControl['admit'] | undefined): Registry => {
  if (!admit) return registry;
  const guardOf = (resource: ResourceDefinition) => ({
    guard: (object: KubeObject, old?: KubeObject) => admit(user, { resource, object, old }),
  });
  return {
    ...registry,
    create: (resource, body, write) => registry.create(resource, body, { ...write, ...guardOf(resource) }),
    update: (resource, key, change, write) =>
      registry.update(resource, key, change, { ...write, ...guardOf(resource) }),
    apply: (resource, key, config, write) => registry.apply(resource, key, config, { ...write, ...guardOf(resource) }),
  };
};

type Verb = (call: Call) => Promise<Response>;

const COLLECTION: Readonly<Record<string, Verb>> = { GET: list, HEAD: list, POST: create, DELETE: removeCollection };
const OBJECT: Readonly<Record<string, Verb>> = { GET: get, HEAD: get, PUT: replace, PATCH: patch, DELETE: remove };
const STATUS: Readonly<Record<string, Verb>> = { GET: get, HEAD: get, PUT: replace, PATCH: patch };
const SCALE: Readonly<Record<string, Verb>> = { GET: scale, PUT: scale, PATCH: scale };

/** What the target allows, by method. */
const verbsOf = ({ resource, name, subresource }: Target): Readonly<Record<string, Verb>> => {
  if (name === undefined) return COLLECTION;
  if (subresource === undefined) return OBJECT;
  if (subresource === 'status' && resource.statusSubresource) return STATUS;
  if (subresource === 'scale' && resource.scale) return SCALE;
  throw nowhere();
};

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const refuseWrite = (resource: ResourceDefinition, verb: string): StatusError => {
  const { code, reason, message, details } = methodNotSupported(resource, verb);
  return new StatusError(code, reason, `${message}: they are part of this server and can only be read`, details);
};

const verbFor = (call: Call, watching: boolean): Verb => {
  const { method } = call.request;
  if (call.resource.readOnly && !READS.has(method)) throw refuseWrite(call.resource, verbOf(method, call, false));
  if (watching && method === 'GET') return watch;
  const verb = verbsOf(call)[method];
  if (!verb) throw methodNotSupported(call.resource, verbOf(method, call, false));
  return verb;
};

/** Paths that depend on nothing: version and health. */
const answerFixed = (path: string, version: string): Response | undefined => {
  if (path === '/version' || path === '/version/') return respond(versionInfo(version));
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(path)) {
    return new Response('ok', { headers: { 'content-type': 'text/plain; charset=utf-8' } });
  }
  return undefined;
};

const versionInfo = (gitVersion: string) => {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
  return {
    major,
    minor,
    gitVersion,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: 'linux/amd64',
  };
};
