import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CertificatePurpose, verifyPair } from '../../../shared/bootstrap/certificates/secrets.ts';
import type { Observed } from './observed.ts';

/** The files of a control plane machine's /etc/kubernetes/pki, by their names in the cluster's Secrets. */
const FILES = {
  ca: ['ca.crt', 'ca.key'],
  etcd: ['etcd/ca.crt', 'etcd/ca.key'],
  proxy: ['front-proxy-ca.crt', 'front-proxy-ca.key'],
  sa: ['sa.pub', 'sa.key'],
} as const satisfies Partial<Record<CertificatePurpose, readonly [string, string]>>;

export type Authority = keyof typeof FILES;
export const AUTHORITIES = Object.keys(FILES) as Authority[];

/** How a pair is given: by its files, or in a directory with kubeadm's names. */
export interface PkiOptions {
  pki?: string;
  files: Partial<Record<Authority, { certificate?: string; key?: string }>>;
}

/**
 * Reads the existing files. A pair with a missing half is ignored. Throws if a named file does not exist, or
 * CertificateInvalidError if files are not what the cluster needs or do not belong together.
 */
export const readPki = ({ pki, files }: PkiOptions, now: Date): Observed['pairs'] => {
  const named = Object.values(files).flatMap(({ certificate, key }) => [certificate, key]);
  const absent = [...named, pki].find((file) => file !== undefined && !existsSync(file));
  if (absent !== undefined) throw new Error(`${absent} does not exist`);
  return Object.fromEntries(
    AUTHORITIES.flatMap((purpose) => {
      const at = (name: string) => (pki === undefined ? '' : join(pki, name));
      const certificate = files[purpose]?.certificate ?? at(FILES[purpose][0]);
      const key = files[purpose]?.key ?? at(FILES[purpose][1]);
      if (!existsSync(certificate) || !existsSync(key)) return [];
      const pair = { certificatePem: readFileSync(certificate, 'utf8'), privateKeyPem: readFileSync(key, 'utf8') };
      verifyPair(pair, { certificate, key, partner: certificate }, { purpose, now });
      return [[purpose, pair]];
    }),
  );
};

/** kubeadm's names for the files of a pair, for users who have to copy them. */
export const filesOf = (purpose: Authority): string => FILES[purpose].join(' and ');
