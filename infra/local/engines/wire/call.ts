import type { IncomingHttpHeaders } from 'node:http';

/** A received HTTP request, with the credential scope that routed it. */
export interface WireRequest {
  readonly method: string;
  /** The path and the query; host and scheme are those that the client addressed. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly scope: CredentialScope;
  readonly requestId: string;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** `Credential=<key>/<date>/<region>/<service>/aws4_request` of a SigV4 signature, in the header or in a presigned URL. */
export interface CredentialScope {
  readonly accessKeyId: string;
  readonly region: string;
  readonly service: string;
  readonly presigned: boolean;
}

/** What a handler may know about the call in addition to its input. */
export interface Call {
  /** The signing name, for example `ec2`, `elasticloadbalancing`, `states`. */
  readonly service: string;
  readonly operation: string;
  readonly region: string;
  readonly accessKeyId: string;
  /** The calling function; undefined for another program. */
  readonly functionName: string | undefined;
  readonly requestId: string;
  readonly request: WireRequest;
}

/**
 * The header with which the laptop's functions, which are one process, identify the caller: on AWS, each has its own
 * role.
 */
export const FUNCTION_HEADER = 'x-windlass-function';

/** Reads the credential scope of a request, or undefined if the request is not signed. */
export const scopeOf = (url: URL, authorization: string | undefined): CredentialScope | undefined => {
  const header = /Credential=([^,\s]+)/.exec(authorization ?? '')?.[1];
  const credential = header ?? url.searchParams.get('X-Amz-Credential');
  const [accessKeyId, , region, service] = (credential ?? '').split('/');
  if (!accessKeyId || !region || !service) return undefined;
  return { accessKeyId, region, service, presigned: header === undefined };
};
