import { Buffer } from 'node:buffer';
import { createHmac, createPrivateKey, hkdfSync } from 'node:crypto';
import { formatTime } from '../kube-api/object.ts';
import type { Random } from '../random.ts';
import type { SecretObject } from './certificates/secrets.ts';
import { BootstrapInvalidError } from './invalid.ts';

/** The lifetime of a machine's token: Cluster API's default. */
export const TOKEN_TTL_SECONDS = 15 * 60;
export const TOKEN_GROUP = 'system:bootstrappers:kubeadm:default-node-token';
export const TOKEN_USAGES: readonly string[] = ['signing', 'authentication'];

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const SEED_LABEL = 'windlass/bootstrap-token-seed/v1';

/** 22 digits in base 36 from 256 bits. More than 140 bits remain, so the digits are practically unbiased. */
const tokenFrom = (bytes: Uint8Array): string => {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  for (let index = 0; index < 22; index += 1) {
    digits += ALPHABET[Number(rest % 36n)];
    rest /= 36n;
  }
  return `${digits.slice(0, 6)}.${digits.slice(6)}`;
};

/** A new kubeadm bootstrap token, `[a-z0-9]{6}.[a-z0-9]{16}`. */
export const randomToken = (random: Random): string => tokenFrom(random.bytes(32));

/**
 * The seed from which a cluster's machine tokens are derived: HKDF-SHA256 of the cluster CA's private key with a
 * separate label, 32 bytes.
 *
 * Why the CA key: the initial machines are launched before an API server exists that could store tokens. So the first
 * control plane machine must get every token, and a later run must derive the same ones without another secret to
 * store. Why it is safe: HKDF is one-way, so neither a token nor the seed reveals anything about the key, and the label
 * separates the seed from any other use. Anyone with the CA key can sign a cluster-admin certificate, so knowing the
 * tokens adds nothing. Control plane machines have that key anyway; workers only see their own token. A token is valid
 * for 15 minutes, regardless of the seed's age.
 */
export const tokenSeed = (caPrivateKeyPem: string): Uint8Array => {
  // DER, because the same key has several PEM forms.
  const key = createPrivateKey(caPrivateKeyPem).export({ format: 'der', type: 'pkcs8' });
  return new Uint8Array(hkdfSync('sha256', key, new Uint8Array(0), SEED_LABEL, 32));
};

/** The bootstrap token of the machine with this uid. It is always the same for the same seed. */
export const machineToken = (clusterSecretSeed: Uint8Array, machineUid: string): string =>
  tokenFrom(createHmac('sha256', clusterSecretSeed).update(machineUid).digest());

/** Splits a token. Throws BootstrapInvalidError, which does not contain the token, if it has another form. */
export const parseToken = (token: string, field: string): { id: string; secret: string } => {
  const [, id, secret] = TOKEN.exec(token) ?? [];
  if (id === undefined || secret === undefined) {
    throw new BootstrapInvalidError(field, 'must have the form [a-z0-9]{6}.[a-z0-9]{16}');
  }
  return { id, secret };
};

/** Identifies the token's machine in `kubeadm token list`, and to those who find the Secret. */
export const tokenDescription = (machineName: string): string => `machine ${machineName}, made by Windlass`;

/** Whether a token with this description belongs to a machine. */
export const isTokenOfMachine = (description: string): boolean => /^machine \S+, made by Windlass$/.test(description);

/** The same for the token of a MachinePool. */
export const poolTokenDescription = (poolName: string): string => `machine pool ${poolName}, made by Windlass`;

/** The name of the MachinePool to which a token with this description belongs; undefined for all others. */
export const poolOfToken = (description: string): string | undefined =>
  /^machine pool (\S+), made by Windlass$/.exec(description)?.[1];

/** The name of the Secret in kube-system that makes a token valid. Throws like parseToken. */
export const tokenSecretName = (token: string): string => `bootstrap-token-${parseToken(token, 'token').id}`;

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** The Secret in kube-system of the workload cluster that makes `token` valid until `expiration`. */
export const bootstrapTokenSecret = (
  token: string,
  { expiration, description }: { expiration: Date; description: string },
): SecretObject => {
  const { id, secret } = parseToken(token, 'token');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: tokenSecretName(token), namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: {
      'token-id': base64(id),
      'token-secret': base64(secret),
      expiration: base64(formatTime(expiration)),
      'usage-bootstrap-signing': base64('true'),
      'usage-bootstrap-authentication': base64('true'),
      'auth-extra-groups': base64(TOKEN_GROUP),
      description: base64(description),
    },
  };
};
