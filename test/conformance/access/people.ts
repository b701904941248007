/** IAM roles of the simulated account, whose sessions run kubectl with credentials from `aws eks get-token`. */
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { launch, must, type Result, type Running, readEnvironment, type Started } from '../quickstart/windlass.ts';

export interface Person {
  arn: string;
  kubeconfig: string;
  /** Runs kubectl with these arguments, none of which may contain a space, and waits until it exits. */
  kubectl(line: string, ...input: string[]): Promise<Result>;
  /** Starts kubectl with these arguments and does not wait. */
  start(line: string): Running;
}

interface Kubeconfig {
  users: {
    name: string;
    user: { exec: { args: string[]; env: { name: string; value: string }[]; command: string } };
  }[];
}

const ROLES = 'arn:aws:iam::000000000000:role';

/**
 * The laptop's kubeconfig with the stock AWS CLI as its plugin, which uses the session's credentials and ignores
 * configured endpoints.
 */
const kubeconfigOf = (home: string, credentials: Record<string, string>): string => {
  const config = parse(readFileSync(join(home, 'kubeconfig'), 'utf8')) as Kubeconfig;
  const exec = config.users[0]?.user.exec;
  if (!exec) throw new Error('the kubeconfig names no plugin');
  const [, clusterId = '', region = ''] = exec.args;
  const variables = {
    ...credentials,
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
    AWS_STS_REGIONAL_ENDPOINTS: 'regional',
  };
  Object.assign(exec, {
    command: 'aws',
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    args: ['eks', 'get-token', '--cluster-name', clusterId, '--region', region, '--output', 'json'],
    env: Object.entries(variables).map(([name, value]) => ({ name, value })),
  });
  return stringify(config);
};

/**
 * Assumes the role and returns a user of that session. In the simulated account a role exists as soon as it is assumed.
 */
export const assume = async (laptop: Started, role: string): Promise<Person> => {
  const { home } = laptop;
  const arn = `${ROLES}/${role}`;
  const session = ['sts', 'assume-role', '--role-arn', arn, '--role-session-name', `${role}-session`];
  const answer = JSON.parse(await must('aws', [...session, '--output', 'json'], readEnvironment(laptop)));
  const { AccessKeyId, SecretAccessKey, SessionToken } = answer.Credentials;
  const directory = join(home, role);
  await mkdir(directory, { recursive: true });
  const kubeconfig = join(directory, 'kubeconfig');
  const credentials = {
    AWS_ACCESS_KEY_ID: AccessKeyId,
    AWS_SECRET_ACCESS_KEY: SecretAccessKey,
    AWS_SESSION_TOKEN: SessionToken,
  };
  await writeFile(kubeconfig, kubeconfigOf(home, credentials), { mode: 0o600 });
  const options = ['--kubeconfig', kubeconfig, '--cache-dir', join(directory, 'cache')];
  const start = (line: string, more: readonly string[] = []): Running =>
    launch('kubectl', [...options, ...line.split(' '), ...more]);
  const kubectl = async (line: string, ...inputs: string[]): Promise<Result> => {
    const files = await Promise.all(
      inputs.map(async (input, index) => {
        const file = join(directory, `input-${index}.yaml`);
        await writeFile(file, input);
        return ['-f', file];
      }),
    );
    return start(line, files.flat()).ended;
  };
  return { arn, kubeconfig, kubectl, start };
};
