/** Sends raw requests to an AWS endpoint. An SDK client would refuse or repair some of them. */

export interface RawAnswer {
  status: number;
  /** The error's code, or `HTTP <status>` if a failure has none; undefined for a success. */
  code: string | undefined;
  body: string;
}

const CONTENT_TYPE = 'application/x-www-form-urlencoded; charset=utf-8';

/** API versions of the services that speak a query protocol. */
const VERSIONS: Readonly<Record<string, string>> = {
  autoscaling: '2011-01-01',
  ec2: '2016-11-15',
  elasticloadbalancing: '2015-12-01',
  iam: '2010-05-08',
  sts: '2011-06-15',
};

/** Prefixes of the operations of services with a JSON protocol. */
const TARGETS: Readonly<Record<string, string>> = { secretsmanager: 'secretsmanager', ssm: 'AmazonSSM' };

/** The code of the error in an XML or JSON response. */
export const codeOf = (status: number, body: string): string | undefined => {
  if (status < 400) return undefined;
  const inXml = /<Code>([^<]+)<\/Code>/.exec(body)?.[1];
  const inJson = /"(?:__type|code)"\s*:\s*"(?:[^"#]*#)?([^"]+)"/.exec(body)?.[1];
  return inXml ?? inJson ?? `HTTP ${status}`;
};

/** The text of the first XML element or JSON field with this name; empty if there is none. */
export const valueIn = (body: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)<`).exec(body)?.[1] ?? new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(body)?.[1] ?? '';

/** The number of XML elements with this name. */
export const countIn = (body: string, name: string): number => body.split(`<${name}>`).length - 1;

export interface Endpoint {
  url: string;
  /** Emulators accept any key; the simulated STS accepts only keys that it has issued. */
  accessKeyId?: string;
}

/** Makes one call: `input` is sent as query parameters, or as a document to a service with a JSON protocol. */
export type Ask = (service: string, operation: string, input?: Readonly<Record<string, unknown>>) => Promise<RawAnswer>;

/** The header by which the endpoint finds the service. Endpoints do not check signatures here. */
const authorization = (service: string, key: string): string =>
  `AWS4-HMAC-SHA256 Credential=${key}/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`;

const send = async (url: string, headers: Record<string, string>, body: string): Promise<RawAnswer> => {
  const response = await fetch(`${url}/`, { method: 'POST', headers, body });
  const text = await response.text();
  return { status: response.status, code: codeOf(response.status, text), body: text };
};

export const askerOf =
  ({ url, accessKeyId = 'conformance' }: Endpoint): Ask =>
  (service, operation, input = {}) => {
    const signed = { authorization: authorization(service, accessKeyId), 'x-amz-date': '20260101T000000Z' };
    const prefix = TARGETS[service];
    if (prefix !== undefined) {
      const json = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `${prefix}.${operation}` };
      return send(url, { ...signed, ...json }, JSON.stringify(input));
    }
    const form = new URLSearchParams({ Action: operation, Version: VERSIONS[service] ?? '' });
    for (const [name, value] of Object.entries(input)) form.append(name, String(value));
    return send(url, { ...signed, 'content-type': CONTENT_TYPE }, form.toString());
  };
