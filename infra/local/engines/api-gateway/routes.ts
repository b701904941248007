import type { Resource } from '../../engine.ts';

/** A method of the API: the function that answers it, and the authorizer that identifies callers. */
export interface Method {
  /** `ANY` or a verb. */
  verb: string;
  resourceId: string;
  functionArn: string;
  /** Undefined if anyone may call. */
  authorizerId: string | undefined;
}

/** The resource that a request matches. */
export interface Route {
  method: Method;
  resourcePath: string;
  pathParameters: Readonly<Record<string, string>>;
}

const INTEGRATION = /:lambda:path\/2021-11-15\/functions\/(arn:[^/]+)\/response-streaming-invocations$/;

/** Reads an AWS::ApiGateway::Method. Throws for any integration except a streaming one with a function. */
export const methodOf = (resource: Resource): Method => {
  const { Integration, AuthorizationType, AuthorizerId, HttpMethod, ResourceId } = resource.properties;
  const { Type, Uri, ResponseTransferMode } = Integration as Record<string, string | undefined>;
  const [, functionArn] = INTEGRATION.exec(Uri ?? '') ?? [];
  if (Type !== 'AWS_PROXY' || ResponseTransferMode !== 'STREAM' || functionArn === undefined)
    throw new Error(`${resource.type} "${resource.logicalId}": the laptop knows only streaming proxies to functions`);
  if (AuthorizationType !== 'CUSTOM' && AuthorizationType !== 'NONE')
    throw new Error(
      `${resource.type} "${resource.logicalId}": the laptop does not know ${AuthorizationType} authorization`,
    );
  const authorizerId = AuthorizationType === 'CUSTOM' ? String(AuthorizerId) : undefined;
  return { verb: String(HttpMethod), resourceId: String(ResourceId), functionArn, authorizerId };
};

/** A resource's path below its parent, for example `{proxy+}`. */
export interface PathPart {
  parentId: string;
  part: string;
}

const pathOf = (id: string, parts: ReadonlyMap<string, PathPart>): string => {
  const own = parts.get(id);
  return own === undefined ? '' : `${pathOf(own.parentId, parts)}/${own.part}`;
};

/** Reads the parameters of a path; undefined if the path does not match this resource. */
const readerOf = (resourcePath: string): ((path: string) => Record<string, string> | undefined) => {
  if (resourcePath === '/') return (path) => (path === '/' ? {} : undefined);
  const names: string[] = [];
  const pattern = resourcePath.replace(/\{(\w+)(\+?)\}/g, (_, name: string, greedy: string) => {
    names.push(name);
    return greedy === '+' ? '(.+)' : '([^/]+)';
  });
  const expression = new RegExp(`^${pattern}/?$`);
  return (path) => {
    const match = expression.exec(path);
    return match === null ? undefined : Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? '']));
  };
};

/** The number of fixed segments of a path. */
const literalLength = (resourcePath: string): number => `${resourcePath}{`.indexOf('{');

/**
 * Finds the method for a request: exact paths before those with parameters, longer paths before shorter ones, and a
 * verb before ANY.
 */
export const makeRouter = (methods: readonly Method[], parts: ReadonlyMap<string, PathPart>) => {
  const routes = methods
    .map((method) => ({ method, resourcePath: pathOf(method.resourceId, parts) || '/' }))
    .sort(
      (a, b) =>
        Number(a.resourcePath.includes('{')) - Number(b.resourcePath.includes('{')) ||
        literalLength(b.resourcePath) - literalLength(a.resourcePath) ||
        Number(a.method.verb === 'ANY') - Number(b.method.verb === 'ANY'),
    )
    .map((route) => ({ ...route, read: readerOf(route.resourcePath) }));
  return (verb: string, path: string): Route | undefined => {
    for (const { method, resourcePath, read } of routes) {
      if (method.verb !== 'ANY' && method.verb !== verb) continue;
      const pathParameters = read(path);
      if (pathParameters !== undefined) return { method, resourcePath, pathParameters };
    }
    return undefined;
  };
};
