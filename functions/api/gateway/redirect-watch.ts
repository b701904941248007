import { queryOf, readFlag } from '../../../shared/kube-api/server/query.ts';
import { attributesOfRequest } from '../../../shared/kube-api/server/request-attributes.ts';
import { respond } from '../../../shared/kube-api/server/respond.ts';
import type { Attributes } from '../../../shared/kube-api/server/user.ts';

/** The first segment of the paths that the function `watch` serves. */
export const WATCHES = 'watches';

/**
 * Clients that are known to follow a redirect of a GET with their credentials, by their User-Agent: those of client-go
 * (`kubectl/v1.34.1 (linux/amd64) kubernetes/93248f9`), which managers of Cluster API and its providers use under their
 * own names (util/remote DefaultClusterAPIUserAgent), the official Python clients, Node's fetch, which the official
 * JavaScript client uses, and those that declare it. Others may treat a redirect as a failure, or drop their token.
 */
const FOLLOWING = [
  / (kubernetes|cluster\.x-k8s\.io)\/\S/,
  /^OpenAPI-Generator\/\S+\/python$/,
  /^(node|undici)$/,
  /\bfollows-redirects\b/,
];

const follows = (request: Request): boolean => {
  const agent = request.headers.get('user-agent') ?? '';
  return FOLLOWING.some((pattern) => pattern.test(agent));
};

/**
 * Whether `watch` can serve a resource: it may not open Secrets, and has no memory for the definitions of all kinds. A
 * watch that begins with a list needs memory for that list.
 */
const isServedThere = ({ group, resource }: Pick<Attributes, 'group' | 'resource'>): boolean =>
  group !== 'apiextensions.k8s.io' && !(group === '' && resource === 'secrets');

const goesOn = (query: URLSearchParams): boolean =>
  !['', '0'].includes(query.get('resourceVersion') ?? '') && !readFlag(query, 'sendInitialEvents');

/** Whether the function `watch` would answer the request: a watch that resumes from a version. */
export const isForWatch = (request: Request): boolean => {
  const query = queryOf(request.url);
  const attributes = attributesOfRequest(request);
  return attributes.verb === 'watch' && request.method === 'GET' && isServedThere(attributes) && goesOn(query);
};

/**
 * The response that redirects a client with its watch to the smaller function; undefined for other clients and watches.
 * The new location is relative, so it is valid behind any proxy and stage.
 */
export const redirectWatch = (request: Request): Response | undefined => {
  if (!follows(request) || !isForWatch(request)) return undefined;
  const { pathname, search } = new URL(request.url);
  const up = '../'.repeat(pathname.split('/').length - 2);
  const location = `${up}${WATCHES}${pathname}${search}`;
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    message: `see ${location}`,
    code: 307,
  };
  return respond(status, { status: 307, headers: { location } });
};
