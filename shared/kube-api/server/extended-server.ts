import { silentLog } from '../../log.ts';
import type { Catalog, Served } from '../custom/catalog.ts';
import type { ResourceDefinition } from '../resource.ts';
import { servedResources } from '../versions/served.ts';
import { type ApiServer, type ApiServerOptions, createApiServer } from './api-server.ts';
import { decodePath, segmentsOf } from './path-segment.ts';
import { respondFailure, toStatusError } from './respond.ts';
import { parseTarget } from './target.ts';

export interface ExtendedOptions extends ApiServerOptions {
  /** What the server serves because of CustomResourceDefinitions, in addition to `resources`. */
  catalog: Catalog;
}

/**
 * Whether a response may depend on CustomResourceDefinitions: that of discovery, of OpenAPI, and of every path outside
 * the server's own kinds. Paths of its own kinds never do, because no definition can use their names.
 */
const mayBeDefined = (own: readonly ResourceDefinition[], path: string): boolean => {
  const [root, group] = segmentsOf(path);
  if (root === 'openapi') return true;
  if (root !== 'apis') return false;
  if (group === undefined) return true;
  const ofGroup = own.filter((resource) => resource.group === group);
  const isBuiltIn = ofGroup.some(({ builtIn }) => builtIn);
  return !isBuiltIn && parseTarget(own, path) === undefined;
};

/**
 * A Kubernetes API server that also serves custom resources. Requests for its own kinds do not use the catalog; all
 * others do, so that a definition is served by the first request after its creation, in any process.
 */
export const createExtendedServer = ({ catalog, ...options }: ExtendedOptions): ApiServer => {
  const own = createApiServer(options);
  const paths = servedResources(options.resources);
  let extended: { served: Served; server: ApiServer } | undefined;

  const isRedefined = async (resource: ResourceDefinition): Promise<boolean> =>
    resource.custom !== undefined && !(await catalog.current()).resources.includes(resource);

  const serverFor = (served: Served): ApiServer => {
    if (served.resources.length === 0) return own;
    if (extended?.served !== served) {
      const resources = [...options.resources, ...served.resources];
      extended = { served, server: createApiServer({ ...options, resources, isRedefined }) };
    }
    return extended.server;
  };

  const fail = (error: unknown): Response => {
    const translated = options.translateError ? options.translateError(error) : error;
    return respondFailure(toStatusError(translated, options.log ?? silentLog));
  };

  return {
    registry: own.registry,
    fetch: async (request, user, basePath, audit) => {
      const path = decodePath(new URL(request.url).pathname);
      if (path === undefined || !mayBeDefined(paths, path)) return own.fetch(request, user, basePath, audit);
      try {
        return await serverFor(await catalog.current()).fetch(request, user, basePath, audit);
      } catch (error) {
        return fail(error);
      }
    },
  };
};
