/** The gateway's own responses: its messages, in the form that the template's GatewayResponses define. */

/** The types of refusal on the laptop, with API Gateway's status and message. */
const REFUSALS = {
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  ACCESS_DENIED: { status: 403, message: 'User is not authorized to access this resource' },
  EXPLICIT_DENY: { status: 403, message: 'User is not authorized to access this resource with an explicit deny' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  THROTTLED: { status: 429, message: 'Too Many Requests' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  AUTHORIZER_FAILURE: { status: 500, message: 'Internal server error' },
  INTEGRATION_FAILURE: { status: 502, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
} as const;

export type RefusalType = keyof typeof REFUSALS;

const KNOWN_VARIABLES = ['$context.error.messageString', '$context.error.message', '$context.requestId'];

/** Throws if a template uses a variable that the laptop does not set. */
const checkTemplate = (template: string): void => {
  const unknown = (template.match(/\$[\w.]+/g) ?? []).filter((name) => !KNOWN_VARIABLES.includes(name));
  if (unknown.length > 0)
    throw new Error(`the gateway response uses ${unknown.join(', ')}, which the laptop does not know`);
};

/** The body of an answer, and its headers. */
export interface GatewayAnswer {
  /** Replaces the gateway's own status. */
  status?: number;
  template: string;
  headers: Readonly<Record<string, string>>;
}

const CONSTANT_HEADER = /^gatewayresponse\.header\.([\w-]+)$/;

/** Throws for a header that is not a constant. */
const headerOf = ([name, value]: [string, unknown]): [string, string] => {
  const [, header] = CONSTANT_HEADER.exec(name) ?? [];
  const [, constant] = /^'(.*)'$/.exec(String(value)) ?? [];
  if (header === undefined || constant === undefined)
    throw new Error(`the gateway response sets ${name} to ${String(value)}; the laptop knows only constant headers`);
  return [header.toLowerCase(), constant];
};

/** The content of a GatewayResponse in the template. Throws for unsupported content. */
export const answerOf = (properties: Readonly<Record<string, unknown>>): GatewayAnswer => {
  const { ResponseTemplates, ResponseParameters = {}, StatusCode } = properties;
  const template = (ResponseTemplates as Record<string, string>)['application/json'] ?? '';
  checkTemplate(template);
  const status = StatusCode === undefined ? {} : { status: Number(StatusCode) };
  return {
    ...status,
    template,
    headers: Object.fromEntries(Object.entries(ResponseParameters as object).map(headerOf)),
  };
};

const DEFAULT: GatewayAnswer = { template: '{"message":$context.error.messageString}', headers: {} };

interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Creates refusals. `answers` has the GatewayResponses by ResponseType. */
export const makeRefusals = (answers: ReadonlyMap<string, GatewayAnswer>) => {
  const given = (type: RefusalType, status: number): GatewayAnswer => {
    const own = type === 'EXPLICIT_DENY' ? 'ACCESS_DENIED' : type;
    return answers.get(own) ?? answers.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX') ?? DEFAULT;
  };
  return (type: RefusalType, requestId: string): Refusal => {
    const { status: own, message } = REFUSALS[type];
    const { status = own, template, headers: constants } = given(type, own);
    const body = template
      .replaceAll('$context.error.messageString', () => JSON.stringify(message))
      .replaceAll('$context.error.message', () => message)
      .replaceAll('$context.requestId', () => requestId);
    const headers = { 'content-type': 'application/json', 'x-amzn-requestid': requestId };
    return { status, headers: { ...headers, ...constants, 'x-amzn-errortype': type }, body };
  };
};

export type Refuse = ReturnType<typeof makeRefusals>;
