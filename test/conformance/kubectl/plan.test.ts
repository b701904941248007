import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestCluster } from '../../../functions/preview/test-cluster.ts';
import type { User } from '../../../shared/kube-api/server/user.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { type Listening, listen } from '../listen.ts';
import { createKubectl, type Kubectl } from './kubectl.ts';

/** What kubectl prints of a plan, compared with the transcript of docs/plan.md. */

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DOCS = readFileSync(join(ROOT, 'docs', 'plan.md'), 'utf8');
const ADMIN: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

let server: Listening;
let kubectl: Kubectl;
beforeAll(async () => {
  const { fetch } = await makeTestCluster();
  server = await listen((request) => fetch(request, ADMIN));
  kubectl = await createKubectl(server.url);
}, LIMIT);
afterAll(async () => {
  await kubectl?.dispose();
  await server?.stop();
});

/** The lines of a transcript: the command, its warnings, its output. */
const transcript = async (line: string): Promise<string> => {
  const { code, stdout, stderr } = await kubectl.run(line.split(' '));
  expect(code, stderr).toBe(0);
  return `$ kubectl ${line}\n${stderr}${stdout}`;
};

it.each([
  'scale machinedeployment quickstart-md-0 --replicas=5 --dry-run=server',
  'scale kubeadmcontrolplane quickstart-control-plane --replicas=1 --dry-run=server',
  'delete machinedeployment quickstart-md-0 --dry-run=server',
  'delete cluster quickstart --dry-run=server',
])('kubectl %s', async (line) => {
  expect(DOCS).toContain(await transcript(line));
});

it('kubectl apply of another version', async () => {
  const { stdout } = await kubectl.run(['get', 'machinedeployment', 'quickstart-md-0', '-o', 'json']);
  const workers = stdout.replaceAll('"version": "v1.34.0"', '"version": "v1.34.2"');
  const run = await kubectl.run(
    ['apply', '--server-side', '--force-conflicts', '--dry-run=server', '-f', '-'],
    withoutManaged(workers),
  );

  expect(run.code, run.stderr).toBe(0);
  expect(DOCS).toContain(`$ kubectl apply --server-side --dry-run=server -f workers.yaml\n${run.stderr}${run.stdout}`);
});

const withoutManaged = (text: string): string => {
  const object = JSON.parse(text);
  const { name } = object.metadata;
  return JSON.stringify({ ...object, metadata: { name }, status: undefined });
};

it('npm run windlass -- plan, with the same kubeconfig', async () => {
  const { stdout: config } = await kubectl.run(['config', 'view', '--raw', '-o', 'json']);
  const { stdout: text } = await kubectl.run(['get', 'machinedeployment', 'quickstart-md-0', '-o', 'json']);
  // The client of the command refuses plain HTTP unless it is allowed explicitly.
  const file = `${kubectl.config}-plain`;
  writeFileSync(file, config.replace('"server":', '"insecure-skip-tls-verify": true, "server":'));
  const more = withoutManaged(text.replace('"replicas": 3', '"replicas": 4'));
  const args = ['infra/cli/windlass.ts', 'plan', '-f', '-', '--kubeconfig', file, '--detailed-exitcode'];
  const child = spawn(process.execPath, args, { cwd: ROOT });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  child.stdin.end(more);
  const code = await new Promise((resolve) => child.once('close', resolve));

  expect(printed).toContain('machinedeployment.cluster.x-k8s.io/quickstart-md-0 would be configured');
  expect(printed).toContain('MachineDeployment quickstart-md-0 creates 1 Machine: quickstart-md-0-');
  expect(code).toBe(2);
});
