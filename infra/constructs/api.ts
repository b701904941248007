import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseTransferMode,
  ResponseType,
  RestApi,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { WATCHES } from '../../functions/api/gateway/redirect-watch.ts';
import { REPORTS_PATH } from '../../shared/bootstrap/change-reports/reports.ts';
import { BODY_TOO_LARGE } from '../../shared/kube-api/server/body.ts';
import { apiPolicy } from './api-policy.ts';
import type { Settings } from './settings.ts';

interface Refusal {
  type: ResponseType;
  code?: number;
  reason: string;
  /** Replaces the gateway's own message. */
  message?: string;
  /** Nothing was done: Kubernetes clients repeat the request after this time; without it, they give up. */
  retryAfterSeconds?: number;
}

/**
 * The authorizer had no concurrency left, or STS did not answer. The code is not 500, as by default: Python clients
 * wait and repeat a request only after 503.
 */
const UNIDENTIFIED = {
  code: 503,
  reason: 'ServiceUnavailable',
  message: 'the caller cannot be identified at the moment',
  retryAfterSeconds: 1,
};

/** The responses of API Gateway itself, as a Kubernetes Status, so that kubectl prints the reason and not "unknown". */
const REFUSALS: readonly Refusal[] = [
  { type: ResponseType.UNAUTHORIZED, code: 401, reason: 'Unauthorized' },
  { type: ResponseType.ACCESS_DENIED, code: 403, reason: 'Forbidden' },
  // Sent by the gateway above 10 MB, and by Lambda above 6 MB; the message is that of the function, which refuses
  // smaller bodies.
  { type: ResponseType.REQUEST_TOO_LARGE, code: 413, reason: 'RequestEntityTooLarge', message: BODY_TOO_LARGE },
  { type: ResponseType.THROTTLED, code: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 },
  { type: ResponseType.AUTHORIZER_FAILURE, ...UNIDENTIFIED },
  { type: ResponseType.AUTHORIZER_CONFIGURATION_ERROR, ...UNIDENTIFIED },
  { type: ResponseType.INTEGRATION_TIMEOUT, code: 504, reason: 'Timeout' },
  { type: ResponseType.DEFAULT_4XX, reason: 'BadRequest' },
  { type: ResponseType.DEFAULT_5XX, reason: 'InternalError' },
];

/**
 * The body template; `messageString` is the gateway's own message, quoted. The default responses apply to many codes
 * and contain none.
 */
const statusTemplate = ({ code, reason, message, retryAfterSeconds }: Refusal): string =>
  `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",` +
  `"message":${message ? JSON.stringify(message) : '$context.error.messageString'},"reason":"${reason}"${code === undefined ? '' : `,"code":${code}`}` +
  `${retryAfterSeconds === undefined ? '' : `,"details":{"retryAfterSeconds":${retryAfterSeconds}}`}}`;

/** Gives API Gateway's own refusals the form that Kubernetes clients read. */
const addRefusals = (api: RestApi): void => {
  for (const refusal of REFUSALS)
    api.addGatewayResponse(`Refuse${refusal.type.responseType}`, {
      type: refusal.type,
      statusCode: refusal.code === undefined ? undefined : String(refusal.code),
      templates: { 'application/json': statusTemplate(refusal) },
      // API Gateway expects a constant between single quotes.
      ...(refusal.retryAfterSeconds ? { responseHeaders: { 'Retry-After': `'${refusal.retryAfterSeconds}'` } } : {}),
    });
};

/** kubectl and controller-runtime send some bodies as protobuf; only bodies of these types reach the function as base64. */
const BINARY_BODIES = ['application/vnd.kubernetes.protobuf'];

/** The first path segment of every address; a kubeconfig's server ends in it. */
const STAGE = 'k8s';

/**
 * How long API Gateway caches the authorizer's answer for a token. An expired token remains valid for at most this
 * time.
 */
const REMEMBER_TOKEN = Duration.seconds(300);

/** The last segment of the address for reports. */
const CLUSTER = 'cluster';

/** The shape of an EKS token; any other token is refused with 401 before a function runs. */
const TOKEN_SHAPE = '^[Bb]earer k8s-aws-v1\\.[A-Za-z0-9_-]+$';

/**
 * The limit for change reports of all clusters together, per second. Anyone can send them, and each is billed: requests
 * beyond the limit are refused before they cost anything.
 */
const REPORTS = { throttlingRateLimit: 10, throttlingBurstLimit: 100 };

/**
 * A line for each request, including refused ones. The standard fields contain the pattern of the path instead of the
 * path, and no user if a function identifies the caller. Values that a client chooses freely, such as its user agent,
 * are excluded, because the gateway does not escape values between the quotes. The query, which may contain anything,
 * is not part of the path.
 */
const ACCESS_LOG = {
  requestId: AccessLogField.contextRequestId(),
  time: AccessLogField.contextRequestTime(),
  sourceIp: AccessLogField.contextIdentitySourceIp(),
  principal: AccessLogField.contextAuthorizerPrincipalId(),
  method: AccessLogField.contextHttpMethod(),
  path: AccessLogField.contextPath(),
  protocol: AccessLogField.contextProtocol(),
  status: AccessLogField.contextStatus(),
  responseLength: AccessLogField.contextResponseLength(),
  responseLatency: AccessLogField.contextResponseLatency(),
  refusedBy: AccessLogField.contextErrorResponseType(),
};

const streaming = (handler: IFunction): LambdaIntegration =>
  new LambdaIntegration(handler, {
    responseTransferMode: ResponseTransferMode.STREAM,
    timeout: Duration.minutes(15),
    allowTestInvoke: false,
  });

/**
 * The Kubernetes API. It is a regional REST API: only these stream, with an idle timeout of 5 minutes instead of 30
 * seconds. Every path and verb goes to `handler` after `authorizer` has identified the caller. `handler` redirects
 * watches to `watch`, because a gateway distinguishes only paths and verbs, and a watch differs from a list only in its
 * query.
 */
export const kubernetesApi = (
  parent: Construct,
  options: Record<'handler' | 'watch' | 'changes' | 'authorizer', IFunction> & { settings: Settings },
): RestApi => {
  const { settings } = options;
  const scope = new Construct(parent, 'Gateway');
  const api = new RestApi(scope, 'Rest', {
    restApiName: settings.stackName,
    description: 'The Kubernetes API of Windlass',
    endpointTypes: [EndpointType.REGIONAL],
    policy: apiPolicy(settings.apiSourceRanges, `POST/${REPORTS_PATH}/*`),
    binaryMediaTypes: BINARY_BODIES,
    cloudWatchRole: settings.gatewayLogRole,
    // An account has one such role in each region for all its APIs: others may use ours after this stack is deleted.
    cloudWatchRoleRemovalPolicy: settings.gatewayLogRole ? RemovalPolicy.RETAIN : undefined,
    defaultMethodOptions: {
      authorizer: new TokenAuthorizer(scope, 'Authorizer', {
        handler: options.authorizer,
        validationRegex: TOKEN_SHAPE,
        resultsCacheTtl: REMEMBER_TOKEN,
      }),
    },
    deployOptions: {
      stageName: STAGE,
      throttlingRateLimit: settings.concurrency.requests.rate,
      throttlingBurstLimit: settings.concurrency.requests.burst,
      methodOptions: { [`/${REPORTS_PATH}/{${CLUSTER}}/POST`]: REPORTS },
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      tracingEnabled: true,
      accessLogDestination: new LogGroupLogDestination(accessLog(scope, settings)),
      accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
    },
  });
  const integration = streaming(options.handler);
  api.root.addMethod('ANY', integration);
  api.root.addProxy({ anyMethod: false }).addMethod('ANY', integration);
  const watches = api.root.addResource(WATCHES).addProxy({ anyMethod: false });
  watches.addMethod('GET', streaming(options.watch));
  addReports(api, options.changes);
  addRefusals(api);
  return api;
};

const OWN_TOKENS =
  'API servers of clusters are no IAM principals: the function checks the token of the cluster, the route is throttled, and a report can only start a pass.';

/** The path on which API servers of clusters report changes, without the authorizer, which does not know them. */
const addReports = (api: RestApi, changes: IFunction): void => {
  const resource = api.root.resourceForPath(REPORTS_PATH).addResource(`{${CLUSTER}}`);
  const method = resource.addMethod('POST', streaming(changes), { authorizationType: AuthorizationType.NONE });
  Validations.of(method).acknowledge({ id: 'AwsSolutions::AwsSolutions-APIG4', reason: OWN_TOKENS });
};

const accessLog = (scope: Construct, settings: Settings): LogGroup =>
  new LogGroup(scope, 'AccessLog', {
    logGroupName: `/aws/apigateway/${settings.stackName}`,
    retention: settings.auditRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
