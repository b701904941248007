import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

interface Refusal {
  type: ResponseType;
  code?: number;
  reason: string;
}

/** What API Gateway answers itself, as a Kubernetes Status, so that kubectl prints the reason and not "unknown". */
const REFUSALS: readonly Refusal[] = [
  { type: ResponseType.UNAUTHORIZED, code: 401, reason: 'Unauthorized' },
  { type: ResponseType.ACCESS_DENIED, code: 403, reason: 'Forbidden' },
  { type: ResponseType.REQUEST_TOO_LARGE, code: 413, reason: 'RequestEntityTooLarge' },
  { type: ResponseType.THROTTLED, code: 429, reason: 'TooManyRequests' },
  { type: ResponseType.INTEGRATION_TIMEOUT, code: 504, reason: 'Timeout' },
  { type: ResponseType.DEFAULT_4XX, reason: 'BadRequest' },
  { type: ResponseType.DEFAULT_5XX, reason: 'InternalError' },
];

/** The body template; `messageString` is the gateway's own message, quoted. The defaults stand for many codes and name none. */
const statusTemplate = ({ code, reason }: Refusal): string =>
  `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",` +
  `"message":$context.error.messageString,"reason":"${reason}"${code === undefined ? '' : `,"code":${code}`}}`;

/** Gives the refusals of API Gateway itself the form that Kubernetes clients read. */
export const addRefusals = (api: RestApi): void => {
  for (const refusal of REFUSALS)
    api.addGatewayResponse(`Refuse${refusal.type.responseType}`, {
      type: refusal.type,
      templates: { 'application/json': statusTemplate(refusal) },
    });
};
