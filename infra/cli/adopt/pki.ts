import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CertificatePurpose } from '../../../shared/bootstrap/certificates/secrets.ts';
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

const readOne = (file: string | undefined): string | undefined =>
  file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined;

/** Reads the existing files. A pair with a missing half is ignored. Throws if a named file does not exist. */
export const readPki = ({ pki, files }: PkiOptions): Observed['pairs'] => {
  const named = Object.values(files).flatMap(({ certificate, key }) => [certificate, key]);
  const absent = [...named, pki].find((file) => file !== undefined && !existsSync(file));
  if (absent !== undefined) throw new Error(`${absent} does not exist`);
  return Object.fromEntries(
    AUTHORITIES.flatMap((purpose) => {
      const [certificate, key] = FILES[purpose];
      const at = (name: string) => (pki === undefined ? undefined : join(pki, name));
      const certificatePem = readOne(files[purpose]?.certificate ?? at(certificate));
      const privateKeyPem = readOne(files[purpose]?.key ?? at(key));
      return certificatePem && privateKeyPem ? [[purpose, { certificatePem, privateKeyPem }]] : [];
    }),
  );
};

/** kubeadm's names for the files of a pair, for users who have to copy them. */
export const filesOf = (purpose: Authority): string => FILES[purpose].join(' and ');
