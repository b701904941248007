import { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import { stringify } from 'yaml';
import { readYaml } from '../../decode/yaml.ts';
import { isObject } from '../../kube-api/json.ts';
import { BootstrapInvalidError } from '../invalid.ts';
import type { EncryptionAlgorithm } from './algorithms.ts';
import { DAY_MILLISECONDS } from './authority.ts';
import { type IssueDependencies, issueCertificate } from './issue.ts';
import type { PemPair } from './keys.ts';

export interface KubeconfigInput {
  clusterName: string;
  /** `https://host:port`. */
  server: string;
  /** PEM of the cluster CA. */
  ca: string;
  /** PEM. */
  clientCert: string;
  /** PEM. */
  clientKey: string;
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** The kubeconfig that Cluster API writes: cluster `<name>`, user `<name>-admin`, context `<name>-admin@<name>`. */
export const makeKubeconfig = ({ clusterName, server, ca, clientCert, clientKey }: KubeconfigInput): string => {
  const user = `${clusterName}-admin`;
  const context = `${user}@${clusterName}`;
  return stringify(
    {
      apiVersion: 'v1',
      clusters: [{ cluster: { 'certificate-authority-data': base64(ca), server }, name: clusterName }],
      contexts: [{ context: { cluster: clusterName, user }, name: context }],
      'current-context': context,
      kind: 'Config',
      users: [
        { name: user, user: { 'client-certificate-data': base64(clientCert), 'client-key-data': base64(clientKey) } },
      ],
    },
    { lineWidth: 0, version: '1.1' },
  );
};

/** Issues the administrator's certificate (CN kubernetes-admin, O system:masters, 365 days) and wraps it. */
export const issueKubeconfig = async (
  input: {
    clusterName: string;
    server: string;
    /** Signs the administrator's certificate. */
    ca: PemPair;
    /** PEM of the authority that has signed the API server's certificate; default `ca`. */
    trusted?: string;
    algorithm?: EncryptionAlgorithm;
  },
  dependencies: IssueDependencies,
): Promise<string> => {
  const client = await issueCertificate(
    input.ca,
    {
      commonName: 'kubernetes-admin',
      organizations: ['system:masters'],
      usages: ['client'],
      ...(input.algorithm === undefined ? {} : { algorithm: input.algorithm }),
    },
    dependencies,
  );
  return makeKubeconfig({
    clusterName: input.clusterName,
    server: input.server,
    ca: input.trusted ?? input.ca.certificatePem,
    clientCert: client.certificatePem,
    clientKey: client.privateKeyPem,
  });
};

/** Cluster API renews the certificate after half of its 365 days. */
const RENEW_BEFORE_MILLISECONDS = (365 / 2) * DAY_MILLISECONDS;

/**
 * When the client certificate of a kubeconfig must be renewed: 182.5 days before it expires. Throws
 * BootstrapInvalidError, which names `field`, if the text is not a kubeconfig with a client certificate.
 */
export const renewalTime = (kubeconfig: string, field: string): Date => {
  try {
    const data = entryOf(kubeconfig, 'users', 'user')['client-certificate-data'];
    const certificate = new X509Certificate(Buffer.from(String(data), 'base64'));
    return new Date(certificate.validToDate.getTime() - RENEW_BEFORE_MILLISECONDS);
  } catch {
    throw new BootstrapInvalidError(
      field,
      'is not a kubeconfig with a client certificate; delete it to have it regenerated',
    );
  }
};

/** The fields of the first entry of a list, such as `users[0].user`. Throws UnreadableError. */
const entryOf = (kubeconfig: string, list: 'clusters' | 'users', member: string): Record<string, unknown> => {
  const config = readYaml(kubeconfig);
  const entries = isObject(config) ? config[list] : undefined;
  const first: unknown = Array.isArray(entries) ? entries[0] : undefined;
  const fields = isObject(first) ? first[member] : undefined;
  return isObject(fields) ? fields : {};
};

/** Whether a kubeconfig leads to `server` and trusts `ca`, a PEM text. Throws UnreadableError if it is not YAML. */
export const leadsTo = (kubeconfig: string, { server, ca }: { server: string; ca: string }): boolean => {
  const cluster = entryOf(kubeconfig, 'clusters', 'cluster');
  return cluster.server === server && cluster['certificate-authority-data'] === base64(ca);
};
