import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';

const CREDENTIALS = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'a/secret+key', sessionToken: 'a/session+token==' };
const REGION = 'eu-west-1';
const SESSION = 'an-imds-session';

const REQUESTS: Readonly<Record<string, { service: string; nameOf(input: Record<string, string>): string }>> = {
  'secretsmanager.GetSecretValue': { service: 'secretsmanager', nameOf: ({ SecretId = '' }) => SecretId },
  'secretsmanager.DeleteSecret': { service: 'secretsmanager', nameOf: ({ SecretId = '' }) => SecretId },
  'AmazonSSM.GetParameter': { service: 'ssm', nameOf: ({ Name = '' }) => Name },
  'AmazonSSM.DeleteParameter': { service: 'ssm', nameOf: ({ Name = '' }) => Name },
};

/** Signs the request again as the SDK would, and compares the signatures. */
const isSigned = async ({ headers, url = '/' }: IncomingMessage, service: string, body: string): Promise<boolean> => {
  const { authorization = '', 'x-amz-date': stamp = '' } = headers as Record<string, string>;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const sent = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  const signer = new SignatureV4({
    service,
    region: REGION,
    credentials: CREDENTIALS,
    sha256: Sha256,
    applyChecksum: false,
  });
  const [, date, time] = /^(\d{8})T(\d{6})Z$/.exec(stamp) ?? [];
  const iso = `${date?.replace(/(....)(..)/, '$1-$2-')}T${time?.replace(/(..)(..)/, '$1:$2:')}Z`;
  const request = { method: 'POST', protocol: 'http:', hostname: 'unused', path: url, headers: sent, body };
  const signed = await signer.sign(request, { signingDate: new Date(iso) });
  return signed.headers.authorization === authorization;
};

/** AWS's secret stores and an instance's metadata, for the programs of a machine that boots in a test. */
export interface StoreEndpoint {
  url: string;
  /** Secrets and parameters by their full name. */
  kept: Map<string, Uint8Array>;
  /** Environment variables for the machine. */
  environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const metadata = ({ method, url = '', headers }: IncomingMessage): string | undefined => {
  if (method === 'PUT') return url === '/latest/api/token' ? SESSION : undefined;
  if (headers['x-aws-ec2-metadata-token'] !== SESSION) return undefined;
  const roles = '/latest/meta-data/iam/security-credentials/';
  if (url === roles) return 'nodes';
  const { accessKeyId, secretAccessKey, sessionToken } = CREDENTIALS;
  const keys = { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken };
  return url === `${roles}nodes` ? JSON.stringify(keys) : undefined;
};

const answer = async (request: IncomingMessage, kept: Map<string, Uint8Array>): Promise<[number, string]> => {
  const known = REQUESTS[String(request.headers['x-amz-target'])];
  if (!known) {
    const found = metadata(request);
    return found === undefined ? [404, ''] : [200, found];
  }
  const body = await text(request);
  if (!(await isSigned(request, known.service, body))) return [403, '{"__type":"InvalidSignatureException"}'];
  const name = known.nameOf(JSON.parse(body));
  const value = kept.get(name);
  if (!value) return [400, '{"__type":"ResourceNotFoundException"}'];
  if (String(request.headers['x-amz-target']).includes('.Delete')) {
    kept.delete(name);
    return [200, '{}'];
  }
  const base64 = Buffer.from(value).toString('base64');
  return [200, JSON.stringify({ SecretBinary: base64, Parameter: { Value: base64 } })];
};

const listen = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

export const startStoreEndpoint = async (): Promise<StoreEndpoint> => {
  const kept = new Map<string, Uint8Array>();
  const server = createServer((request, response) => {
    answer(request, kept).then(
      ([status, body]) => response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const url = await listen(server);
  return {
    url,
    kept,
    environment: { AWS_ENDPOINT_URL: url, AWS_EC2_METADATA_SERVICE_ENDPOINT: url },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
