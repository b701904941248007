import { Buffer } from 'node:buffer';
import { createHash, hkdfSync } from 'node:crypto';
import type { Random } from '../../random.ts';
import { parseCertificates } from '../certificates/public-key-hash.ts';

const AGENT_LABEL = 'windlass/rke2-agent-token/v1';

/** A new token for the Secret `<cluster>-token`: 128 bits in hexadecimal. */
export const newServerToken = (random: Random): string => Buffer.from(random.bytes(16)).toString('hex');

/**
 * The token with which workers join clusters created here, derived by HKDF from the servers' token, so that there is no
 * second secret to store. Workers do not get the servers' own token, because its holder could join as a server, and
 * would then get the keys of all CAs.
 */
export const agentTokenOf = (serverToken: string): string =>
  Buffer.from(hkdfSync('sha256', serverToken, new Uint8Array(0), AGENT_LABEL, 16)).toString('hex');

/** RKE2's hash of a server's CA: of the text itself for a single certificate, and of the root's DER for a chain. */
export const caHash = (caPem: string): string => {
  const chain = parseCertificates(caPem);
  const root = chain.slice(1).find((each) => each.verify(each.publicKey));
  const hashed = chain.length > 1 && root ? root.raw : Buffer.from(caPem, 'utf8');
  return createHash('sha256').update(hashed).digest('hex');
};

/** The token that also identifies the cluster to a machine: `K10<hash>::<user>:<token>`. */
export const secureToken = (caPem: string, user: 'server' | 'node', token: string): string =>
  `K10${caHash(caPem)}::${user}:${token}`;
