/**
 * Tokens as `aws eks get-token` creates them: a presigned GetCallerIdentity request to STS whose signed header
 * x-k8s-aws-id names the installation. There are few imports, because kubectl starts this program again for every
 * command.
 */
import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { partitionOf } from '../../../shared/partitions.ts';

export interface TokenRequest {
  /** The id of the installation: the stack's output ClusterId. */
  clusterId: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

const EXPIRES_SECONDS = 60;
/** STS accepts the request for 15 minutes; one minute is reserved for its transmission. */
const USABLE_MILLISECONDS = 14 * 60 * 1000;

type Hash = ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

/** SHA-256 of Node.js, in the form that the signer requires. */
class Sha256 {
  readonly #hash: Hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Buffer | string);
  }
  update(data: Uint8Array | string): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

/** The query is sorted, as in the signature, so that every reader sees one form. */
const queryOf = (query: Readonly<Record<string, unknown>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .sort()
    .join('&');

/** A token for the Kubernetes API and the instant (milliseconds since 1970) until which a client may use it. */
export const makeToken = async (
  { clusterId, region, credentials }: TokenRequest,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> => {
  const signer = new SignatureV4({ service: 'sts', region, credentials, sha256: Sha256 });
  const hostname = `sts.${region}.${partitionOf(region).suffix}`;
  const request = {
    method: 'GET',
    protocol: 'https:',
    hostname,
    path: '/',
    query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
    headers: { host: hostname, 'x-k8s-aws-id': clusterId },
  };
  const { query = {} } = await signer.presign(request, { expiresIn: EXPIRES_SECONDS, signingDate: now });
  const url = `https://${hostname}/?${queryOf(query)}`;
  const token = `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`;
  return { token, expiresAt: new Date(now.getTime() + USABLE_MILLISECONDS) };
};
