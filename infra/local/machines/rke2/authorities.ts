import { createPrivateKey, X509Certificate } from 'node:crypto';
import { generateAuthority } from '../../../../shared/bootstrap/certificates/authority.ts';
import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import { webCryptoKeys } from '../../../../shared/bootstrap/certificates/keys.ts';
import type { MachineContext } from '../kubeadm/machine-context.ts';

/** The authorities of a cluster, which its servers share. */
export interface Rke2Authorities {
  serverCa: PemPair;
  clientCa: PemPair;
  etcdServerCa: PemPair;
  etcdPeerCa: PemPair;
}

const PLACES: Readonly<Record<keyof Rke2Authorities, string>> = {
  serverCa: 'server-ca',
  clientCa: 'client-ca',
  etcdServerCa: 'etcd/server-ca',
  etcdPeerCa: 'etcd/peer-ca',
};

/** Throws unless certificate and key form a CA that can sign now. */
const check = ({ certificatePem, privateKeyPem }: PemPair, path: string, now: Date): void => {
  const certificate = new X509Certificate(certificatePem);
  if (!certificate.ca) throw new Error(`${path}.crt is not a CA`);
  if (certificate.validToDate.getTime() <= now.getTime()) throw new Error(`${path}.crt has expired`);
  if (!certificate.checkPrivateKey(createPrivateKey(privateKeyPem))) {
    throw new Error(`${path}.key does not belong to ${path}.crt`);
  }
};

/**
 * The CAs of the first server: verifies and uses those on its disk, or creates new ones if there are none. Because of
 * this, a server without its files ends with an API that no other machine trusts.
 */
export const prepareAuthorities = async (machine: MachineContext, dataDir: string): Promise<Rke2Authorities> => {
  const { files, clock, random, bootLog } = machine;
  const read = async (name: string): Promise<PemPair> => {
    const path = `${dataDir}/server/tls/${name}`;
    const certificatePem = files.read(`${path}.crt`);
    const privateKeyPem = files.read(`${path}.key`);
    if (certificatePem !== undefined && privateKeyPem !== undefined) {
      check({ certificatePem, privateKeyPem }, path, clock.now());
      return { certificatePem, privateKeyPem };
    }
    bootLog.line('rke2', `certificate ${path}.crt was not there and is made`);
    const pair = await generateAuthority({ algorithm: 'ECDSA-P256', clock, random, keys: webCryptoKeys });
    files.write(`${path}.crt`, pair.certificatePem);
    files.write(`${path}.key`, pair.privateKeyPem, { permissions: '0600' });
    return pair;
  };
  const names = Object.entries(PLACES);
  const pairs = await Promise.all(names.map(async ([key, name]) => [key, await read(name)] as const));
  return Object.fromEntries(pairs) as unknown as Rke2Authorities;
};
