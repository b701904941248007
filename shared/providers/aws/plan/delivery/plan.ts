import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { isGzip, unpacked } from '../../../../bootstrap/gzip.ts';
import { BootstrapInvalidError } from '../../../../bootstrap/invalid.ts';
import { MOST_SECRETS } from '../../../../kinds/rules/aws/machine-limits.ts';
import { boothook, INCLUDED_PATH } from './boothook.ts';
import { dataKind, requireNoInclude } from './handover.ts';

/** One part of a multipart document. */
interface MimePart {
  contentType: string;
  body: string;
}

/** Constant, so that the same input gives the same user data. None of our parts contains such a line. */
const BOUNDARY = '==windlass-user-data==';

/**
 * A `multipart/mixed` document in the form that cloud-init reads. Lines end with LF, as in all input for cloud-init.
 */
const mimeDocument = (parts: readonly MimePart[]): string => {
  const sections = parts.map(
    ({ contentType, body }) =>
      `--${BOUNDARY}\nContent-Type: ${contentType}; charset="utf-8"\nMIME-Version: 1.0\nContent-Transfer-Encoding: 8bit\n\n${body}\n`,
  );
  return `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${BOUNDARY}"\n\n${sections.join('')}--${BOUNDARY}--\n`;
};

/**
 * Secrets Manager stores 65,536 bytes, so one secret holds the data that Cluster API's AWS provider divides into chunks
 * of 7000. The Parameter Store stores text of up to 4096 characters: 4000 characters of base64.
 */
const CHUNK_BYTES = { 'secrets-manager': 60_000, 'ssm-parameter-store': 3000 } as const;
/**
 * Sizes in earlier versions: a launch that one of them has started continues with the chunks that may already be
 * stored.
 */
const FORMER_CHUNK_BYTES = { 'secrets-manager': 7000, 'ssm-parameter-store': 3000 } as const;
/** EC2's limit for user data, before base64. */
export const MAX_USER_DATA_BYTES = 16 * 1024;

/**
 * `secrets-manager` is the default. `plain`: `spec.cloudInit.insecureSkipSecretsManager`.
 * `ssm-parameter-store`: `spec.cloudInit.secureSecretsBackend`.
 */
export type DeliveryMode = 'secrets-manager' | 'plain' | 'ssm-parameter-store';

export interface DeliveryInput {
  /** The bootstrap data of the machine, from renderBootstrapData or from a user's data Secret. */
  body: string | Uint8Array;
  mode: DeliveryMode;
  /** The names of the secrets without their numbers; see secretPrefix. Not used in mode `plain`. */
  secretPrefix: string;
  /** The region of the secrets, which is the cluster's. */
  region: string;
  /** The number of secrets that were recorded before, if any. */
  recordedCount?: number;
  /**
   * Mode `plain`: whether to compress the user data with gzip. If undefined, only data that would not fit otherwise are
   * compressed.
   */
  compress?: boolean;
  /**
   * Modes with a store: omits the part that includes the fetched document. cloud-init resolves includes before it runs
   * the boothook, and from 20.3 on it aborts if one fails. Images for Cluster API are built with
   * ERROR_ON_USER_DATA_FAILURE=False, but distributions' own images are not. The latter need cloud-init 22.4, which
   * does not require the include.
   */
  withoutInclude?: boolean;
}

export interface Delivery {
  /** base64, as RunInstances requires. */
  userData: string;
  /** Must be created in this order before the instance is launched. The name shows the store (isParameter). */
  secrets: { name: string; data: Uint8Array }[];
}

type SecretStore = Exclude<DeliveryMode, 'plain'>;

/** The prefix of a machine's secrets, in upstream's form. The UUID cannot be guessed; see decision 31. */
export const secretPrefix = (uuid: string): string => `aws.cluster.x-k8s.io/${uuid}`;

/** Whether a prefix or a name belongs to the Parameter Store: these are paths. */
export const isParameter = (name: string): boolean => name.startsWith('/');

/**
 * The prefix in the form that the store accepts. The Parameter Store forbids names that begin with `aws` or `ssm`, so
 * upstream removes that part and makes the rest a path: `/cluster.x-k8s.io/<uuid>`.
 */
export const prefixFor = (mode: DeliveryMode, prefix: string): string =>
  mode === 'ssm-parameter-store' ? `/${prefix.replace(/^\/?(aws|ssm)?\.?/i, '').replace(/^\/+/, '')}` : prefix;

/**
 * The names of all secrets of a machine, in order to delete them: `spec.cloudInit.{secretPrefix,secretCount}` of the
 * AWSMachine. The count is limited, because a user with the verb `adopt` can write any count, and the sweep has the
 * names for all tenants' machines in memory.
 */
export const secretNames = (prefix: string, count: number): string[] =>
  Array.from(
    { length: Math.min(count, MOST_SECRETS) },
    (_, index) => `${prefix}${isParameter(prefix) ? '/' : '-'}${index}`,
  );

/** Both are put into a shell script that runs as root. */
const requireWord = (field: string, value: string, pattern: RegExp): void => {
  if (!pattern.test(value)) throw new BootstrapInvalidError(field, `"${value}" has characters that are not allowed`);
};

const split = (data: Uint8Array, bytes: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(data.length / bytes) }, (_, index) =>
    data.subarray(index * bytes, (index + 1) * bytes),
  );

/** Valid names in the stores, without characters that would make the names of the two stores ambiguous. */
const PREFIXES: Readonly<Record<SecretStore, RegExp>> = {
  'secrets-manager': /^[A-Za-z0-9_+=.@-][A-Za-z0-9/_+=.@-]{0,499}$/,
  'ssm-parameter-store': /^\/[A-Za-z0-9_.-][A-Za-z0-9/_.-]{0,499}$/,
};

const cut = (data: Uint8Array, store: SecretStore, recordedCount: number | undefined): Uint8Array[] => {
  const former = split(data, FORMER_CHUNK_BYTES[store]);
  return recordedCount === former.length ? former : split(data, CHUNK_BYTES[store]);
};

const byStore = (input: DeliveryInput, store: SecretStore): Delivery => {
  const { secretPrefix: given, region, recordedCount, withoutInclude = false } = input;
  const prefix = prefixFor(store, given);
  requireWord('spec.cloudInit.secretPrefix', prefix, PREFIXES[store]);
  requireWord('spec.region', region, /^[a-z0-9-]+$/);
  // A user's data may be compressed already. The machine sees the same data as cloud-init would.
  const contents = unpacked(Buffer.from(input.body as Uint8Array));
  const kind = dataKind(contents);
  if (withoutInclude) requireNoInclude(kind);
  const chunks = cut(gzipSync(contents, { level: 9 }), store, recordedCount);
  const hasInclude = !withoutInclude;
  const script = boothook({ store, region, secretPrefix: prefix, chunks: chunks.length, kind, hasInclude });
  const include = { contentType: 'text/x-include-url', body: `file://${INCLUDED_PATH}\n` };
  const document = mimeDocument([
    { contentType: 'text/cloud-boothook', body: script },
    ...(hasInclude ? [include] : []),
  ]);
  const names = secretNames(prefix, chunks.length);
  return {
    userData: Buffer.from(document, 'utf8').toString('base64'),
    secrets: names.map((name, index) => ({ name, data: chunks[index] ?? new Uint8Array() })),
  };
};

/**
 * User data that are already compressed are left unchanged: cloud-init decompresses them once. The data of a control
 * plane machine never fit without compression.
 */
const byUserData = ({ body, compress }: DeliveryInput): Delivery => {
  const plain = Buffer.from(body as Uint8Array);
  const isCompressed = !isGzip(plain) && (compress ?? plain.length > MAX_USER_DATA_BYTES);
  const data = isCompressed ? gzipSync(plain, { level: 9 }) : plain;
  if (data.length > MAX_USER_DATA_BYTES) {
    const advice = compress === false ? ', remove spec.uncompressedUserData,' : '';
    throw new BootstrapInvalidError(
      'spec.cloudInit.insecureSkipSecretsManager',
      `the user data has ${data.length} bytes${isCompressed ? ' when compressed' : ''}, EC2 accepts ${MAX_USER_DATA_BYTES}; remove the field${advice} or shorten the files`,
    );
  }
  return { userData: data.toString('base64'), secrets: [] };
};

/**
 * How the bootstrap data reach the machine. Pure: creates nothing. By default, the user data only contain a script, and
 * the secret part is in a store from which the machine fetches and deletes it. Throws BootstrapInvalidError if plain
 * user data are too long, and for a prefix that the store does not accept.
 */
export const planDelivery = (input: DeliveryInput): Delivery =>
  input.mode === 'plain' ? byUserData(input) : byStore(input, input.mode);
