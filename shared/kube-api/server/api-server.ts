import { type Log, silentLog } from '../../log.ts';
import { apiVersionOf } from '../decode.ts';
import { createRegistry } from '../registry/create-registry.ts';
import type { Registry, RegistryOptions, WriteEvent } from '../registry/registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { LoadTexts } from '../schema/with-descriptions.ts';
import { methodNotAllowed, StatusError } from '../status-error.ts';
import { servedResources } from '../versions/served.ts';
import { negotiate } from './accept.ts';
import { type Audit, auditRecord, isAudited, noteFailure, type Trail } from './audit.ts';
import { decide, requireAllowed } from './authorize.ts';
import type { LimitWatches, WatchSettings } from './call.ts';
import { createDiscovery } from './discovery.ts';
import { type AdmitRequest, forUser } from './for-user.ts';
import { actingUser } from './impersonate.ts';
import { answerNowhere } from './nowhere.ts';
import { decodePath } from './path-segment.ts';
import { queryOf, readFlag } from './query.ts';
import { attributesOfRequest } from './request-attributes.ts';
import { addFirstWarning, respond, respondFailure, toStatusError } from './respond.ts';
import { answerReview, findReview, isAboutSelf, isForReviews } from './reviews.ts';
import { revocable } from './revocable.ts';
import { READS, verbFor } from './routes.ts';
import { parseTarget, type Target } from './target.ts';
import type { AccessControl, Attributes, User } from './user.ts';

export interface ApiServerOptions extends RegistryOptions, Partial<AccessControl> {
  /** The `gitVersion` in /version: a semantic version with `v`, of the Kubernetes that clients should assume. */
  version: string;
  watch: WatchSettings;
  /** Without it, any number of watches may be open. */
  limitWatches?: LimitWatches;
  /** Whether a resource is no longer served as in `resources`; without it, none ever changes. */
  isRedefined?(resource: ResourceDefinition): Promise<boolean>;
  /** Translates the storage's errors into the classes of shared/errors.ts, if it does not do so itself. */
  translateError?(error: unknown): unknown;
  log?: Log;
  /** The descriptions of fields in OpenAPI documents; without them, the documents only have those of the schemas. */
  loadTexts?: LoadTexts;
  /** What a write in a user's dry run would do, one warning per line. */
  explain?(user: User, event: WriteEvent): Promise<readonly string[]>;
  /** Who admits the writes of a request, in addition to the rules of the kinds. */
  admitRequest?: AdmitRequest;
  /** Answers reads of paths outside the API, such as `/metrics`, for users who may `get` the path. */
  paths?: Readonly<Record<string, (request: Request) => Promise<Response>>>;
}

export interface ApiServer {
  /**
   * Answers one request of an authenticated user. Never rejects: failures are Status objects. `basePath` is the part of
   * the client's URLs before `/api`, which `request.url` does not contain. `audit` is called when the response starts,
   * for each request that would change something, reads a Secret, or is refused.
   */
  fetch(request: Request, user: User, basePath?: string, audit?: Audit): Promise<Response>;
  readonly registry: Registry;
}

/** The subject of one request, with what is found out about it on the way. */
interface Inquiry {
  /** The decoded path of the URL. */
  path: string;
  attributes: Attributes;
  trail: Trail;
  basePath: string;
  /** The authenticated user, even if the request impersonates another one. */
  principal: User;
}

const unlimited: LimitWatches = async () => async () => {};

/** A Kubernetes API server for the given resources and storage. Without `authorize`, everything is allowed. */
export const createApiServer = (options: ApiServerOptions): ApiServer => {
  const { resources, version, log = silentLog, authorize = () => true, limitWatches = unlimited } = options;
  const registry = createRegistry(options);
  const served = servedResources(resources);
  const discover = createDiscovery(served);
  const describe = describeAtFirstUse(served, options);
  const toFailure = (error: unknown): StatusError =>
    toStatusError(options.translateError ? options.translateError(error) : error, log);

  const refuse = (error: unknown, trail: Trail): Response => {
    const failed = toFailure(error);
    noteFailure(trail, failed);
    return respondFailure(failed);
  };

  const answerTarget = async (
    request: Request,
    user: User,
    { path, attributes, trail, principal }: Inquiry,
  ): Promise<Response> => {
    const query = queryOf(request.url);
    const target = parseTarget(served, path);
    if (!target || !isAbout(attributes, target)) return answerNowhere(served, path);
    // Upstream reads one object by its name, whatever the other parameters are.
    const watching = readFlag(query, 'watch') && target.name === undefined;
    const call = {
      ...target,
      registry: forUser(registry, user, { ...options, trail, subresource: target.subresource, query }),
      clock: options.clock,
      request,
      path,
      query,
      accepted: negotiate(request.headers.get('accept'), target.resource),
      watch: options.watch,
      openWatch: (seconds: number) => limitWatches(principal, seconds),
      isRedefined: async () => (await options.isRedefined?.(target.resource)) ?? false,
      requireVerb: (verb: string) => requireAllowed(authorize, user, { ...attributes, verb }),
      toFailure,
    };
    const response = await verbFor(call, watching)(call).catch((error) => refuse(error, trail));
    return warnDeprecated(target.resource, response);
  };

  /** Data that are the same for all users. */
  const answerKnown = async (request: Request, { path, basePath }: Inquiry): Promise<Response | undefined> => {
    const own = ownPath(options.paths, path);
    if (own) return READS.has(request.method) ? own(request) : refuseMethod();
    const described = () => describe(path, queryOf(request.url), basePath, request.headers);
    return answerFixed(request.method, path, version) ?? (await described()) ?? discover(request, path);
  };

  const identified = async (user: User): Promise<User> => (await options.identify?.(user)) ?? user;

  /** The groups of a principal and the right to impersonate can be revoked just like the permission itself. */
  const isStillAllowed = async (request: Request, authenticated: User, attributes: Attributes): Promise<boolean> => {
    try {
      const user = await actingUser(authorize, await identified(authenticated), request.headers);
      return (await decide(authorize, user, attributes)).allowed;
    } catch (error) {
      if (error instanceof StatusError && error.code === 403) return false;
      throw error;
    }
  };

  const answer = async (request: Request, authenticated: User, inquiry: Inquiry): Promise<Response> => {
    const { attributes, trail } = inquiry;
    const caller = await identified(authenticated);
    trail.user = caller;
    const user = await actingUser(authorize, caller, request.headers);
    const review = findReview(attributes);
    if (!review || !isAboutSelf(review)) await requireAllowed(authorize, user, attributes);
    const known = await answerKnown(request, inquiry);
    if (known) return READS.has(request.method) ? known : refuseMethod();
    const context = { user, authorize, now: options.clock.now(), rulesOf: options.rulesOf };
    if (review) return answerReview(review, request, context);
    if (isForReviews(attributes)) return refuseMethod();
    const response = await answerTarget(request, user, inquiry);
    if (attributes.verb !== 'watch') return response;
    return revocable(response, options.clock, {
      mayGoOn: () => isStillAllowed(request, authenticated, attributes),
      onFailure: (error) => log.warn('The permission of a watch is unknown', { reason: toFailure(error).reason }),
    });
  };

  return {
    registry,
    fetch: async (request, user, basePath = '', audit = undefined) => {
      const path = decodePath(new URL(request.url).pathname);
      if (path === undefined) return undecodable();
      const attributes = attributesOfRequest(request);
      const trail: Trail = {};
      const inquiry = { path, attributes, trail, basePath, principal: user };
      const response = await answer(request, user, inquiry).catch((error) => refuse(error, trail));
      const { status: code } = response;
      if (isAudited(attributes, code)) audit?.(auditRecord(request, user, { attributes, trail, code }));
      return response;
    },
  };
};

const ownPath = (paths: ApiServerOptions['paths'] = {}, path: string) =>
  Object.hasOwn(paths, path) ? paths[path] : undefined;

/**
 * Responses in a deprecated version contain a warning, including refusals, with the API server's text for custom
 * resources.
 */
const warnDeprecated = (resource: ResourceDefinition, response: Response): Response => {
  const isDeprecated = resource.view?.version.deprecated;
  const told = isDeprecated ? `${apiVersionOf(resource)} ${resource.kind} is deprecated` : resource.custom?.deprecation;
  if (told !== undefined) addFirstWarning(response, told);
  return response;
};

const refuseMethod = (): never => {
  throw methodNotAllowed();
};

/** OpenAPI documents are rarely requested: their code is not loaded at a cold start. */
const describeAtFirstUse = (served: readonly ResourceDefinition[], { version, loadTexts }: ApiServerOptions) => {
  type Describe = ReturnType<typeof import('./openapi/openapi.ts').createOpenApi>;
  const load = async (): Promise<Describe> => {
    const [{ createOpenApi }, textsOf] = await Promise.all([import('./openapi/openapi.ts'), loadTexts?.()]);
    return createOpenApi(served, version, textsOf ?? (() => undefined));
  };
  let loaded: Promise<Describe> | undefined;
  return async (path: string, ...rest: [URLSearchParams, string, Headers]): Promise<Response | undefined> => {
    if (!path.startsWith('/openapi/')) return undefined;
    loaded ??= load();
    return (await loaded)(path, ...rest);
  };
};

/** The authorized action is the one that is carried out: both parsers of the path agree, or there is nothing at it. */
const isAbout = (asked: Attributes, { resource, namespace, name, subresource }: Target): boolean =>
  asked.group === resource.group &&
  asked.resource === resource.plural &&
  asked.subresource === subresource &&
  (name === undefined || asked.name === name) &&
  (!resource.namespaced || asked.namespace === namespace);

/** Responses of Go's HTTP server before any handler. */
const undecodable = (): Response =>
  new Response('400 Bad Request', { status: 400, headers: { 'content-type': 'text/plain; charset=utf-8' } });

/** Paths without any dependency: version and health. */
const answerFixed = (method: string, path: string, version: string): Response | undefined => {
  if (/^\/version\/*$/.test(path)) return method === 'HEAD' ? refuseMethod() : respond(versionInfo(version));
  // The individual health checks that every API server has.
  if (/^\/(healthz|livez|readyz)(\/(ping|etcd|log))?$/.test(path)) {
    return new Response('ok', {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache, private' },
    });
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
