import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CertificatePurpose, verifyPair } from '../../../shared/bootstrap/certificates/secrets.ts';
import type { Observed } from './observed.ts';

/** The files in /etc/kubernetes/pki on a control plane machine, by their names in the cluster's Secrets. */
const FILES = {
  ca: ['ca.crt', 'ca.key'],
  etcd: ['etcd/ca.crt', 'etcd/ca.key'],
  proxy: ['front-proxy-ca.crt', 'front-proxy-ca.key'],
  sa: ['sa.pub', 'sa.key'],
} as const satisfies Partial<Record<CertificatePurpose, readonly [string, string]>>;

export type Authority = keyof typeof FILES;
export const AUTHORITIES = Object.keys(FILES) as Authority[];

/** The two ways to give a pair: as files, or in a directory with kubeadm's names. */
export interface PkiOptions {
  pki?: string;
  files: Partial<Record<Authority, { certificate?: string; key?: string }>>;
}

/**
 * Reads the existing files. An incomplete pair is ignored. Throws if a named file does not exist, and throws
 * CertificateInvalidError if files are not those that the cluster needs or do not match.
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
