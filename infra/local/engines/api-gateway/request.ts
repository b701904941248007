import type { IncomingMessage } from 'node:http';

/** What API Gateway knows about a request before it calls a function. */
export interface Arrival {
  method: string;
  /** The path without the stage; begins with `/`. */
  path: string;
  query: URLSearchParams;
  incoming: IncomingMessage;
  body: Buffer;
}

/** API Gateway's limit for a request body, in bytes. */
const BODY_LIMIT = 10 * 1024 * 1024;

const NOTHING = Buffer.alloc(0);

/** The body, or undefined if it is larger than API Gateway accepts; the rest is then read and dropped. */
export const readBody = async (incoming: IncomingMessage): Promise<Buffer | undefined> => {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  if (length === undefined && encoding === undefined) return NOTHING;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT) chunks.push(chunk);
      else resolve(undefined);
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks)));
    incoming.on('error', reject);
  });
};

/** The names as the client wrote them, with all their values, as REST APIs pass them on. */
const headersOf = (incoming: IncomingMessage): Map<string, string[]> => {
  const headers = new Map<string, string[]>();
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    const name = incoming.rawHeaders[index] ?? '';
    headers.set(name, [...(headers.get(name) ?? []), incoming.rawHeaders[index + 1] ?? '']);
  }
  return headers;
};

const lastOf = (all: ReadonlyMap<string, readonly string[]>): Record<string, string> =>
  Object.fromEntries([...all].map(([name, values]) => [name, values.at(-1) ?? '']));

const orNull = <T extends object>(value: T): T | null => (Object.keys(value).length === 0 ? null : value);

const queryOf = (query: URLSearchParams): Map<string, string[]> =>
  new Map([...new Set(query.keys())].map((name) => [name, query.getAll(name)]));

const isBinary = (arrival: Arrival, binaryTypes: readonly string[]): boolean => {
  const type = (arrival.incoming.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  return binaryTypes.some((known) => known === type || known === '*/*');
};

export interface EventContext {
  accountId: string;
  apiId: string;
  stage: string;
  resourceId: string;
  resourcePath: string;
  requestId: string;
  at: Date;
  pathParameters: Readonly<Record<string, string>>;
  binaryTypes: readonly string[];
  /** The authorizer's answer: `principalId` and its context. */
  authorizer: Readonly<Record<string, unknown>> | undefined;
}

/** The event of a REST API's Lambda proxy integration (payload version 1.0). */
export const proxyEvent = (arrival: Arrival, context: EventContext): object => {
  const headers = headersOf(arrival.incoming);
  const query = queryOf(arrival.query);
  const binary = isBinary(arrival, context.binaryTypes);
  return {
    resource: context.resourcePath,
    path: arrival.path,
    httpMethod: arrival.method,
    headers: lastOf(headers),
    multiValueHeaders: Object.fromEntries(headers),
    queryStringParameters: orNull(lastOf(query)),
    multiValueQueryStringParameters: orNull(Object.fromEntries(query)),
    pathParameters: orNull(context.pathParameters),
    stageVariables: null,
    requestContext: {
      accountId: context.accountId,
      apiId: context.apiId,
      authorizer: context.authorizer,
      domainName: arrival.incoming.headers.host,
      httpMethod: arrival.method,
      identity: {
        sourceIp: arrival.incoming.socket.remoteAddress,
        userAgent: arrival.incoming.headers['user-agent'] ?? null,
      },
      path: `/${context.stage}${arrival.path}`,
      protocol: `HTTP/${arrival.incoming.httpVersion}`,
      requestId: context.requestId,
      requestTimeEpoch: context.at.getTime(),
      resourceId: context.resourceId,
      resourcePath: context.resourcePath,
      stage: context.stage,
    },
    body: arrival.body.length === 0 ? null : arrival.body.toString(binary ? 'base64' : 'utf8'),
    isBase64Encoded: binary && arrival.body.length > 0,
  };
};
