/** The resources of a REST API, collected from the template. */
import type { Clock } from '../../../../shared/clock.ts';
import { onlyKnown, type Resource, text } from '../../engine.ts';
import type { Identity } from '../../template.ts';
import { type Authorize, makeAuthorize, type TokenAuthorizer } from './authorize.ts';
import { answerOf, type GatewayAnswer } from './refusals.ts';
import { type Method, methodOf, type PathPart } from './routes.ts';

export const API_ID = 'windlass';
const ROOT_ID = 'root';

/** Descriptions, throttling and access logs have no effect on a laptop. */
export const KNOWN: Readonly<Record<string, readonly string[]>> = {
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
  'AWS::ApiGateway::GatewayResponse': [
    'ResponseParameters',
    'ResponseTemplates',
    'ResponseType',
    'RestApiId',
    'StatusCode',
  ],
  'AWS::ApiGateway::Deployment': ['Description', 'RestApiId'],
  'AWS::ApiGateway::Stage': [
    'AccessLogSetting',
    'DeploymentId',
    'MethodSettings',
    'RestApiId',
    'StageName',
    'TracingEnabled',
  ],
};

/** The template's data about the API so far. */
export interface ApiParts {
  paths: Map<string, PathPart>;
  methods: Method[];
  authorizers: Map<string, Authorize>;
  /** The gateway's own responses, by ResponseType. */
  answers: Map<string, GatewayAnswer>;
  binaryTypes: readonly string[];
  stage: string;
}

export const noParts = (): ApiParts => ({
  paths: new Map(),
  methods: [],
  authorizers: new Map(),
  answers: new Map(),
  binaryTypes: [],
  stage: '',
});

interface Dependencies {
  clock: Clock;
  invoke(functionArn: string, event: unknown): Promise<unknown>;
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

type Collect = (parts: ApiParts, resource: Resource, dependencies: Dependencies) => Identity;

const COLLECT: Readonly<Record<string, Collect>> = {
  'AWS::ApiGateway::RestApi': (parts, { properties }) => {
    parts.binaryTypes = (properties.BinaryMediaTypes ?? []) as string[];
    return { ref: API_ID, attributes: { RootResourceId: ROOT_ID } };
  },
  'AWS::ApiGateway::Resource': ({ paths }, resource) => {
    paths.set(resource.logicalId, { parentId: text(resource, 'ParentId'), part: text(resource, 'PathPart') });
    return { ref: resource.logicalId };
  },
  'AWS::ApiGateway::Method': ({ methods }, resource) => {
    methods.push(methodOf(resource));
    return { ref: resource.logicalId };
  },
  'AWS::ApiGateway::Authorizer': ({ authorizers }, resource, dependencies) => {
    authorizers.set(resource.logicalId, makeAuthorize(authorizerOf(resource), dependencies));
    return { ref: resource.logicalId };
  },
  'AWS::ApiGateway::GatewayResponse': ({ answers }, resource) => {
    answers.set(text(resource, 'ResponseType'), answerOf(resource.properties));
    return { ref: resource.logicalId };
  },
  'AWS::ApiGateway::Deployment': (_parts, { logicalId }) => ({ ref: logicalId }),
  'AWS::ApiGateway::Stage': (parts, resource) => {
    parts.stage = text(resource, 'StageName');
    return { ref: parts.stage };
  },
};

/** Adds a resource to the parts. Throws for an unknown property, integration or authorizer. */
export const collect = (parts: ApiParts, resource: Resource, dependencies: Dependencies): Identity => {
  onlyKnown(resource, KNOWN[resource.type] ?? []);
  const add = COLLECT[resource.type];
  if (add === undefined) throw new Error(`${resource.type} is not known`);
  return add(parts, resource, dependencies);
};
