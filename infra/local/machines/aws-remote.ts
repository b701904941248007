import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Remote } from './ports.ts';

const bytesOf = async (s3: S3Client, bucket: string, key: string): Promise<Uint8Array> => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!Body) throw new Error('the object has no body');
  return Body.transformToByteArray();
};

/** Only URLs that the account itself has signed: user data may name any address, and the laptop must not fetch it. */
const bySignature = async (s3: S3Client, url: URL): Promise<Uint8Array> => {
  const endpoint = await s3.config.endpoint?.();
  const host = endpoint && `${endpoint.hostname}${endpoint.port === undefined ? '' : `:${endpoint.port}`}`;
  if (url.host !== host || !url.searchParams.has('X-Amz-Signature')) {
    throw new Error('simulated machines reach nothing but S3 by such addresses');
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`GET result: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
};

/** S3 with an SDK client. Throws the service's errors. */
export const makeRemote = (s3: S3Client): Remote => ({
  fetch: async (address) => {
    const url = new URL(address);
    if (url.protocol !== 's3:') return bySignature(s3, url);
    return bytesOf(s3, url.host, decodeURIComponent(url.pathname.slice(1)));
  },
});
