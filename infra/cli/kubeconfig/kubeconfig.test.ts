import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Access, environmentText, kubeconfigText } from './kubeconfig.ts';

const access: Access = {
  server: 'https://127.0.0.1:6444/k8s',
  caPem: '-----BEGIN CERTIFICATE-----\n',
  awsUrl: 'http://127.0.0.1:4566',
  clusterId: 'Windlass.us-east-1.000000000000',
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not-a-secret' },
};

interface Exec {
  apiVersion: string;
  command: string;
  args: string[];
  env: { name: string; value: string }[];
}

const execOf = (text: string): Exec => parse(text).users[0].user.exec;

describe('the kubeconfig', () => {
  it('points at the API and trusts its authority', () => {
    const { clusters, contexts, 'current-context': current } = parse(kubeconfigText(access));

    expect(clusters[0].cluster.server).toBe('https://127.0.0.1:6444/k8s');
    expect(Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString()).toBe(access.caPem);
    expect(contexts.map(({ name }: { name: string }) => name)).toEqual([current]);
  });

  it('names a plugin that prints what kubectl expects', () => {
    const { apiVersion, command, args, env } = execOf(kubeconfigText(access));

    const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const printed = JSON.parse(execFileSync(command, args, { env: variables, encoding: 'utf8' }));

    expect(printed).toMatchObject({ apiVersion, kind: 'ExecCredential' });
    expect(printed.status.token).toMatch(/^k8s-aws-v1\.[A-Za-z0-9_-]+$/);
    expect(Date.parse(printed.status.expirationTimestamp)).toBeGreaterThan(0);
  });

  it('names a plugin that reports missing variables', () => {
    const { command, args } = execOf(kubeconfigText(access));

    const { status, stderr } = spawnSync(command, args, { env: {}, encoding: 'utf8' });

    expect(status).toBe(1);
    expect(stderr).toContain('AWS_ACCESS_KEY_ID');
  });

  it("unsets the session token of the user's shell, which does not belong to its keys", () => {
    expect(execOf(kubeconfigText(access)).env).toContainEqual({ name: 'AWS_SESSION_TOKEN', value: '' });
  });
});

describe('the environment file', () => {
  it('is a shell script that sets endpoint, region and credentials', () => {
    const script = `${environmentText(access)}\necho "$AWS_ENDPOINT_URL $AWS_REGION $AWS_ACCESS_KEY_ID"`;

    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(
      'http://127.0.0.1:4566 us-east-1 AKIAEXAMPLE\n',
    );
  });
});
