import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AskSts } from './verify.ts';

/** Test principals, and an STS that checks signatures by signing the received request again. */

export const NOW = Date.UTC(2026, 5, 1, 12, 0, 0);
export const HOST = 'sts.us-east-1.amazonaws.com';
export const CLUSTER_ID = 'Windlass.us-east-1.000000000000';

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret-that-only-tests-use' };

const signer = (): SignatureV4 =>
  new SignatureV4({
    service: 'sts',
    region: 'us-east-1',
    credentials: CREDENTIALS,
    sha256: Sha256,
    applyChecksum: false,
    uriEscapePath: false,
  });

interface Presign {
  host?: string;
  clusterId?: string;
  at?: number;
  expiresIn?: number;
  query?: Record<string, string>;
}

const presign = async (options: Presign): Promise<Record<string, string>> => {
  const { host = HOST, clusterId = CLUSTER_ID, at = NOW, expiresIn = 60 } = options;
  const request = {
    method: 'GET',
    protocol: 'https:',
    hostname: host,
    path: '/',
    headers: { host, 'x-k8s-aws-id': clusterId },
    query: options.query ?? { Action: 'GetCallerIdentity', Version: '2011-06-15' },
  };
  const unhoistableHeaders = new Set(['x-k8s-aws-id']);
  const signed = await signer().presign(request, { expiresIn, signingDate: new Date(at), unhoistableHeaders });
  return signed.query as Record<string, string>;
};

/** The URL inside a token of `aws eks get-token`. */
export const presignedUrl = async (options: Presign = {}): Promise<string> =>
  `https://${options.host ?? HOST}/?${new URLSearchParams(await presign(options))}`;

export const tokenOf = (url: string): string => `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`;

/** An STS that knows one role, in the session `session`, and answers like the real one. */
export const makeSts = (arn = 'arn:aws:sts::000000000000:assumed-role/WindlassAdmin/session') => {
  const asked: Parameters<AskSts>[0][] = [];
  const askSts: AskSts = async (request) => {
    asked.push(request);
    const query = new URL(`https://${request.host}${request.path}`).searchParams;
    const [year, rest] = [query.get('X-Amz-Date')?.slice(0, 4), query.get('X-Amz-Date')?.slice(4)];
    const [, month, day, hours, minutes, seconds] = /^(..)(..)T(..)(..)(..)Z$/.exec(rest ?? '') ?? [];
    const again = await presign({
      host: request.host,
      clusterId: request.headers['x-k8s-aws-id'],
      at: Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`),
      expiresIn: Number(query.get('X-Amz-Expires')),
    });
    const isSigned = ['X-Amz-Signature', 'X-Amz-Credential'].every((name) => again[name] === query.get(name));
    if (!isSigned) return { status: 403, body: '{"Error":{}}' };
    const result = { Account: arn.split(':')[4], Arn: arn, UserId: 'AROAEXAMPLE:session' };
    return { status: 200, body: JSON.stringify({ GetCallerIdentityResponse: { GetCallerIdentityResult: result } }) };
  };
  return { askSts, asked };
};
