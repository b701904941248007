/** What API Gateway answers itself: its own messages, in the form that the template's GatewayResponses give them. */

/** The types of refusal that the laptop gives, with the status and the message of API Gateway. */
const REFUSALS = {
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  ACCESS_DENIED: { status: 403, message: 'User is not authorized to access this resource' },
  EXPLICIT_DENY: { status: 403, message: 'User is not authorized to access this resource with an explicit deny' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  AUTHORIZER_FAILURE: { status: 500, message: 'Internal server error' },
  INTEGRATION_FAILURE: { status: 502, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
} as const;

export type RefusalType = keyof typeof REFUSALS;

const KNOWN_VARIABLES = ['$context.error.messageString', '$context.error.message', '$context.requestId'];

/** Throws when a template uses a variable that the laptop does not fill in. */
export const checkTemplate = (template: string): void => {
  const unknown = (template.match(/\$[\w.]+/g) ?? []).filter((name) => !KNOWN_VARIABLES.includes(name));
  if (unknown.length > 0)
    throw new Error(`the gateway response uses ${unknown.join(', ')}, which the laptop does not know`);
};

const DEFAULT_TEMPLATE = '{"message":$context.error.messageString}';

interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Makes refusals. `templates` maps the ResponseType of a GatewayResponse to its JSON template. */
export const makeRefusals = (templates: ReadonlyMap<string, string>) => {
  const templateOf = (type: RefusalType, status: number): string => {
    const own = type === 'EXPLICIT_DENY' ? 'ACCESS_DENIED' : type;
    return templates.get(own) ?? templates.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX') ?? DEFAULT_TEMPLATE;
  };
  return (type: RefusalType, requestId: string): Refusal => {
    const { status, message } = REFUSALS[type];
    const body = templateOf(type, status)
      .replaceAll('$context.error.messageString', () => JSON.stringify(message))
      .replaceAll('$context.error.message', () => message)
      .replaceAll('$context.requestId', () => requestId);
    const headers = { 'content-type': 'application/json', 'x-amzn-requestid': requestId };
    return { status, headers: { ...headers, 'x-amzn-errortype': type }, body };
  };
};

export type Refuse = ReturnType<typeof makeRefusals>;
