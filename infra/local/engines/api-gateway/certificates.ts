import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateAuthority } from '../../../../shared/bootstrap/certificates/authority.ts';
import { issueCertificate } from '../../../../shared/bootstrap/certificates/issue.ts';
import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import { webCryptoKeys } from '../../../../shared/bootstrap/certificates/keys.ts';
import type { Clock } from '../../../../shared/clock.ts';
import type { Random } from '../../../../shared/random.ts';

/** The certificate of a TLS server on the laptop, and the authority that clients must trust. */
export interface ServerCertificate {
  caPem: string;
  certificatePem: string;
  privateKeyPem: string;
}

const NAMES = ['127.0.0.1', '::1', 'localhost'];
const MONTH_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;
const PRIVATE = 0o600;

/** The CA of an earlier start, if it exists and is valid for at least another month. */
const keptAuthority = (directory: string, clock: Clock): PemPair | undefined => {
  const files = [join(directory, 'ca.pem'), join(directory, 'ca.key')] as const;
  if (!files.every((file) => existsSync(file))) return undefined;
  const certificatePem = readFileSync(files[0], 'utf8');
  const end = new X509Certificate(certificatePem).validToDate.getTime();
  if (end - clock.now().getTime() < MONTH_MILLISECONDS) return undefined;
  return { certificatePem, privateKeyPem: readFileSync(files[1], 'utf8') };
};

/**
 * A certificate for 127.0.0.1, localhost and `names`. Its CA is kept in `directory`, so that a kubeconfig of an earlier
 * start still trusts it; only the owner can read the private key there.
 */
export const serverCertificate = async (
  directory: string,
  dependencies: { clock: Clock; random: Random },
  names: readonly string[] = [],
): Promise<ServerCertificate> => {
  const { clock, random } = dependencies;
  const algorithm = 'ECDSA-P256';
  let authority = keptAuthority(directory, clock);
  if (authority === undefined) {
    authority = await generateAuthority({ algorithm, clock, random, keys: webCryptoKeys });
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'ca.pem'), authority.certificatePem);
    writeFileSync(join(directory, 'ca.key'), authority.privateKeyPem, { mode: PRIVATE });
  }
  const request = {
    commonName: 'windlass',
    usages: ['server'] as const,
    sans: [...NAMES, ...names],
    algorithm,
  } as const;
  const server = await issueCertificate(authority, request, { clock, random, keys: webCryptoKeys });
  return { ...server, caPem: authority.certificatePem };
};
