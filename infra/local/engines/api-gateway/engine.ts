import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Clock } from '../../../../shared/clock.ts';
import type { Log } from '../../../../shared/log.ts';
import type { Random } from '../../../../shared/random.ts';
import { type Engine, onlyKnown, type Resource, text } from '../../engine.ts';
import type { Identity, Target } from '../../template.ts';
import type { ChunkReader } from '../lambda/invoker.ts';
import { type Authorize, makeAuthorize, type TokenAuthorizer } from './authorize.ts';
import { serverCertificate } from './certificates.ts';
import { makeGateway } from './gateway.ts';
import { checkTemplate, makeRefusals } from './refusals.ts';
import { type Method, makeRouter, methodOf, type PathPart } from './routes.ts';

const API_ID = 'windlass';
const ROOT_ID = 'root';

/** Descriptions, throttling and access logs have no effect on a laptop. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::RestApi': ['BinaryMediaTypes', 'Description', 'EndpointConfiguration', 'Name'],
  'AWS::ApiGateway::Resource': ['ParentId', 'PathPart', 'RestApiId'],
  'AWS::ApiGateway::Method': [
    'AuthorizationType',
    'AuthorizerId',
    'HttpMethod',
    'Integration',
    'ResourceId',
    'RestApiId',
  ],
  'AWS::ApiGateway::Authorizer': [
    'AuthorizerResultTtlInSeconds',
    'AuthorizerUri',
    'IdentitySource',
    'IdentityValidationExpression',
    'Name',
    'RestApiId',
    'Type',
  ],
  'AWS::ApiGateway::GatewayResponse': ['ResponseTemplates', 'ResponseType', 'RestApiId'],
  'AWS::ApiGateway::Deployment': ['Description', 'RestApiId'],
  'AWS::ApiGateway::Stage': ['AccessLogSetting', 'DeploymentId', 'MethodSettings', 'RestApiId', 'StageName'],
};

export interface ApiGatewayOptions {
  target: Target;
  /** 0 takes a free port. */
  port: number;
  /** Where the certificate authority is kept between starts. */
  tlsDirectory: string;
  invoke(functionArn: string, event: unknown): Promise<unknown>;
  stream(functionArn: string, event: unknown, reader: ChunkReader, signal: AbortSignal): Promise<void>;
  clock: Clock;
  random: Random;
  log: Log;
}

export interface ApiGatewayEngine extends Engine {
  /** The address of the stage, without a slash at its end. Present after start. */
  url(): string;
  /** The authority that clients must trust. Present after start. */
  caPem(): string;
}

const AUTHORIZER_URI = /\/functions\/(arn:[^/]+)\/invocations$/;
const IDENTITY_SOURCE = /^method\.request\.header\.([\w-]+)$/;

const authorizerOf = (resource: Resource): TokenAuthorizer => {
  const [, functionArn] = AUTHORIZER_URI.exec(text(resource, 'AuthorizerUri')) ?? [];
  const [, header] = IDENTITY_SOURCE.exec(text(resource, 'IdentitySource')) ?? [];
  if (resource.properties.Type !== 'TOKEN' || functionArn === undefined || header === undefined)
    throw new Error(`${resource.type} "${resource.logicalId}": the laptop knows only TOKEN authorizers on a header`);
  const expression = resource.properties.IdentityValidationExpression;
  return {
    functionArn,
    header,
    validation: typeof expression === 'string' ? new RegExp(expression) : undefined,
    cacheSeconds: Number(resource.properties.AuthorizerResultTtlInSeconds ?? 300),
  };
};

/** A port that is taken deserves a sentence that says what to do. */
const explained = (error: NodeJS.ErrnoException, port: number): Error =>
  error.code === 'EADDRINUSE' ? new Error(`port ${port} is in use: is another npm start running?`) : error;

/** A regional REST API with one stage, over TLS on 127.0.0.1. */
export const apiGatewayEngine = (options: ApiGatewayOptions): ApiGatewayEngine => {
  const { target, clock, random, log } = options;
  const parts = new Map<string, PathPart>();
  const methods: Method[] = [];
  const authorizers = new Map<string, Authorize>();
  const templates = new Map<string, string>();
  let binaryTypes: readonly string[] = [];
  let stage = '';
  let listening: { url: string; caPem: string; close: () => Promise<void> } | undefined;

  const make: Readonly<Record<string, (resource: Resource) => Identity>> = {
    'AWS::ApiGateway::RestApi': ({ properties }) => {
      binaryTypes = (properties.BinaryMediaTypes ?? []) as string[];
      return { ref: API_ID, attributes: { RootResourceId: ROOT_ID } };
    },
    'AWS::ApiGateway::Resource': (resource) => {
      parts.set(resource.logicalId, { parentId: text(resource, 'ParentId'), part: text(resource, 'PathPart') });
      return { ref: resource.logicalId };
    },
    'AWS::ApiGateway::Method': (resource) => {
      methods.push(methodOf(resource));
      return { ref: resource.logicalId };
    },
    'AWS::ApiGateway::Authorizer': (resource) => {
      const { invoke } = options;
      authorizers.set(resource.logicalId, makeAuthorize(authorizerOf(resource), { clock, invoke }));
      return { ref: resource.logicalId };
    },
    'AWS::ApiGateway::GatewayResponse': (resource) => {
      const template = (resource.properties.ResponseTemplates as Record<string, string>)['application/json'] ?? '';
      checkTemplate(template);
      templates.set(text(resource, 'ResponseType'), template);
      return { ref: resource.logicalId };
    },
    'AWS::ApiGateway::Deployment': (resource) => ({ ref: resource.logicalId }),
    'AWS::ApiGateway::Stage': (resource) => {
      stage = text(resource, 'StageName');
      return { ref: stage };
    },
  };

  const listen = async (): Promise<NonNullable<typeof listening>> => {
    const tls = await serverCertificate(options.tlsDirectory, { clock, random });
    const gateway = makeGateway({
      ...target,
      ...options,
      apiId: API_ID,
      stage,
      binaryTypes,
      route: makeRouter(methods, parts),
      authorizers,
      refuse: makeRefusals(templates),
    });
    const server = createAdaptorServer({
      fetch: (_request, env) => gateway(env.incoming as IncomingMessage, env.outgoing as ServerResponse),
      createServer,
      serverOptions: { key: tls.privateKeyPem, cert: tls.certificatePem },
    }) as ReturnType<typeof createServer>;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(explained(error, options.port)));
      server.listen(options.port, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    log.info('the Kubernetes API listens', { port });
    return { url: `https://127.0.0.1:${port}/${stage}`, caPem: tls.caPem, close };
  };

  const open = (): NonNullable<typeof listening> => {
    if (listening === undefined) throw new Error('the API does not listen');
    return listening;
  };

  return {
    types: Object.keys(KNOWN),
    create: (resource) => {
      onlyKnown(resource, KNOWN[resource.type] ?? []);
      const created = make[resource.type]?.(resource);
      if (created === undefined) throw new Error(`${resource.type} is not known`);
      return created;
    },
    start: async () => {
      listening = await listen();
    },
    stop: async () => {
      await listening?.close();
      listening = undefined;
    },
    url: () => open().url,
    caPem: () => open().caPem,
  };
};
