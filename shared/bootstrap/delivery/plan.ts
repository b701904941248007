import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { BootstrapInvalidError } from '../invalid.ts';
import { boothook, INCLUDED_PATH } from './boothook.ts';
import { mimeDocument } from './mime.ts';

/** Chunks of Cluster API's AWS provider: far below Secrets Manager's limit of 65,536 bytes. */
const CHUNK_BYTES = 7000;
/** EC2's limit for user data, before base64. */
export const MAX_USER_DATA_BYTES = 16 * 1024;

/**
 * `secrets-manager` is the default. `plain`: `spec.cloudInit.insecureSkipSecretsManager`.
 * `ssm-parameter-store`: `spec.cloudInit.secureSecretsBackend`.
 */
export type DeliveryMode = 'secrets-manager' | 'plain' | 'ssm-parameter-store';

export interface DeliveryInput {
  /** The bootstrap data of the machine, as renderBootstrapData gives it or as a user's data secret holds it. */
  body: string;
  mode: DeliveryMode;
  /** Names of the secrets without `-<n>`; see secretPrefix. Read in mode `secrets-manager` only. */
  secretPrefix: string;
  /** The region of the secrets, which is the cluster's. */
  region: string;
  /** Mode `plain`: gzip the user data (`spec.uncompressedUserData: false`). Default false. */
  compress?: boolean;
}

export interface Delivery {
  /** base64, as RunInstances wants it. */
  userData: string;
  /** To be created before the instance is launched, in this order; `data` is the SecretBinary. */
  secrets: { name: string; data: Uint8Array }[];
}

/** The prefix of a machine's secrets. The id is a UUID; the machine's uid makes it the same in every run. */
export const secretPrefix = (uuid: string): string => `aws.cluster.x-k8s.io/${uuid}`;

/** The names of all secrets of a machine, to delete them: `spec.cloudInit.{secretPrefix,secretCount}` of the AWSMachine. */
export const secretNames = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** Both land in a shell script that runs as root. */
const requireWord = (field: string, value: string, pattern: RegExp): void => {
  if (!pattern.test(value)) throw new BootstrapInvalidError(field, `"${value}" has characters that are not allowed`);
};

const split = (data: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(data.length / CHUNK_BYTES) }, (_, index) =>
    data.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  );

const bySecretsManager = ({ body, secretPrefix: prefix, region }: DeliveryInput): Delivery => {
  requireWord('spec.cloudInit.secretPrefix', prefix, /^[A-Za-z0-9/_+=.@-]{1,500}$/);
  requireWord('spec.region', region, /^[a-z0-9-]+$/);
  const chunks = split(gzipSync(body, { level: 9 }));
  const document = mimeDocument([
    { contentType: 'text/cloud-boothook', body: boothook({ region, secretPrefix: prefix, chunks: chunks.length }) },
    { contentType: 'text/x-include-url', body: `file://${INCLUDED_PATH}\n` },
  ]);
  const names = secretNames(prefix, chunks.length);
  return {
    userData: Buffer.from(document, 'utf8').toString('base64'),
    secrets: names.map((name, index) => ({ name, data: chunks[index] ?? new Uint8Array() })),
  };
};

const byUserData = ({ body, compress }: DeliveryInput): Delivery => {
  const data = compress === true ? gzipSync(body, { level: 9 }) : Buffer.from(body, 'utf8');
  if (data.length > MAX_USER_DATA_BYTES) {
    const advice = compress === true ? '' : ', set spec.uncompressedUserData to false,';
    throw new BootstrapInvalidError(
      'spec.cloudInit.insecureSkipSecretsManager',
      `the user data have ${data.length} bytes, EC2 takes ${MAX_USER_DATA_BYTES}; remove the field${advice} or shorten the files`,
    );
  }
  return { userData: data.toString('base64'), secrets: [] };
};

/**
 * How the bootstrap data reach the machine. Pure: creates nothing. By default the user data hold only a script, and the
 * secret part waits in Secrets Manager, where the machine fetches and deletes it.
 * Throws BootstrapInvalidError when plain user data are too long, and for the SSM Parameter Store.
 */
export const planDelivery = (input: DeliveryInput): Delivery => {
  if (input.mode === 'ssm-parameter-store') {
    throw new BootstrapInvalidError(
      'spec.cloudInit.secureSecretsBackend',
      'ssm-parameter-store is not supported yet; use secrets-manager',
    );
  }
  return input.mode === 'plain' ? byUserData(input) : bySecretsManager(input);
};
