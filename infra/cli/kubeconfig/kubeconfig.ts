import { join } from 'node:path';
import { stringify } from 'yaml';
import { sourceFile } from '../../source-file.ts';
import { ROOT } from '../paths.ts';
import type { TokenRequest } from './token.ts';

/** What a client needs to know about a running installation. */
export interface Access extends TokenRequest {
  /** The address of the Kubernetes API, with its stage. */
  server: string;
  caPem: string;
  /** The address of AWS, in the form of AWS_ENDPOINT_URL. */
  awsUrl: string;
}

/** Other commands find the simulated account by this variable of the plugin; the plugin itself makes no calls to it. */
export const SIMULATED_ENDPOINT = 'AWS_ENDPOINT_URL';

const EXEC_TOKEN = join(ROOT, 'infra', 'cli', sourceFile('exec-token'));

const credentialVariables = ({ credentials }: Access): [name: string, value: string][] => [
  ['AWS_ACCESS_KEY_ID', credentials.accessKeyId],
  ['AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey],
  // Present even if empty, so that a session token of the caller's own shell is never combined with these keys.
  ['AWS_SESSION_TOKEN', credentials.sessionToken ?? ''],
];

/**
 * A kubeconfig whose user gets its token from a credential plugin, like that of an EKS cluster. Its credentials give
 * access only to the simulated account.
 */
export const kubeconfigText = (access: Access): string => {
  const name = 'windlass';
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: [EXEC_TOKEN, access.clusterId, access.region],
    env: [...credentialVariables(access), [SIMULATED_ENDPOINT, access.awsUrl], ['AWS_REGION', access.region]].map(
      ([variable, value]) => ({ name: variable, value }),
    ),
    interactiveMode: 'Never',
    provideClusterInfo: false,
  };
  const cluster = {
    server: access.server,
    'certificate-authority-data': Buffer.from(access.caPem).toString('base64'),
  };
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name, cluster }],
      users: [{ name, user: { exec } }],
      contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    },
    { lineWidth: 0 },
  );
};

/** Lines for a POSIX shell, with which any AWS SDK or CLI finds the simulated account. */
export const environmentText = (access: Access): string =>
  [
    ['AWS_ENDPOINT_URL', access.awsUrl],
    ['AWS_REGION', access.region],
    ['AWS_DEFAULT_REGION', access.region],
    ...credentialVariables(access),
  ]
    .map(([name, value]) => `export ${name}=${value}\n`)
    .join('');
