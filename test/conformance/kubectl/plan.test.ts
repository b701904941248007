import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestCluster } from '../../../functions/preview/test-cluster.ts';
import { openContext } from '../../../infra/cli/api/kubeconfig-client.ts';
import { apply } from '../../../infra/cli/apply/apply.ts';
import { readManifests } from '../../../infra/cli/apply/manifest.ts';
import type { User } from '../../../shared/kube-api/server/user.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { type Listening, listen } from '../listen.ts';
import { createKubectl, type Kubectl } from './kubectl.ts';

/** Compares the plans that kubectl prints with the transcript in docs/plan.md. */

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

/** The lines of a transcript: the command, its warnings and its output. */
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
])('docs/plan.md shows the output of kubectl %s', async (line) => {
  expect(DOCS).toContain(await transcript(line));
});

it('docs/plan.md shows the output of kubectl apply with another version', async () => {
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

/** A kubeconfig for `windlass`, whose client refuses plain HTTP unless it is allowed explicitly. */
const plainConfig = async (): Promise<string> => {
  const { stdout } = await kubectl.run(['config', 'view', '--raw', '-o', 'json']);
  const file = `${kubectl.config}-plain`;
  writeFileSync(file, stdout.replace('"server":', '"insecure-skip-tls-verify": true, "server":'));
  return file;
};

const plan = async (file: string, input = ''): Promise<{ code: unknown; printed: string }> => {
  const args = ['plan', '-f', file, '--no-preflight', '--kubeconfig', await plainConfig(), '--detailed-exitcode'];
  const child = spawn(process.execPath, ['infra/cli/windlass.ts', ...args], { cwd: ROOT });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
  child.stdin.end(input);
  return { code: await new Promise((resolve) => child.once('close', resolve)), printed };
};

it('npm run windlass -- plan shows the change with the same kubeconfig', async () => {
  const { stdout: text } = await kubectl.run(['get', 'machinedeployment', 'quickstart-md-0', '-o', 'json']);
  const { code, printed } = await plan('-', withoutManaged(text.replace('"replicas": 3', '"replicas": 4')));

  expect(printed).toContain('machinedeployment.cluster.x-k8s.io/quickstart-md-0 would be configured');
  expect(printed).toContain('MachineDeployment quickstart-md-0 creates 1 Machine: quickstart-md-0-');
  expect(code).toBe(2);
});

/** Contains everything in which kubectl and JavaScript might read YAML or write JSON differently. */
const MANIFEST = `
apiVersion: v1
kind: ConfigMap
metadata: {name: NAME, annotations: &shared {date: 2026-01-31, time: 12:30:45}}
data: {<<: *shared, b: "<&>", "10": x, "9": z}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: AWSMachineTemplate
metadata: {name: NAME, creationTimestamp: null}
spec: {template: {metadata: {}, spec: {instanceType: t3.large, publicIP: yes, rootVolume: {size: 0x20}, ami: {id: null}}}}
`;

it.each([
  ['client', ['apply']],
  ['server', ['apply', '--server-side']],
])('windlass plan shows no change after an apply by the %s', async (name, command) => {
  const manifest = MANIFEST.replaceAll('NAME', name);
  const applied = await kubectl.run([...command, '-f', '-'], manifest);
  expect(applied.code, applied.stderr).toBe(0);

  const { code, printed } = await plan('-', manifest);

  expect(printed).toContain(`configmap/${name} unchanged`);
  expect(printed).toContain(`awsmachinetemplate.infrastructure.cluster.x-k8s.io/${name} unchanged`);
  expect(code).toBe(0);
});

it('windlass plan shows no change after kubectl apply of the quickstart', async () => {
  const file = join(ROOT, 'examples', 'quickstart.yaml');
  const applied = await kubectl.run(['apply', '-f', file]);
  expect(applied.code, applied.stderr).toBe(0);

  const { code, printed } = await plan(file);

  expect(printed.match(/ unchanged$/gm), printed).toHaveLength(7);
  expect(code).toBe(0);
});

it('windlass applies objects so that kubectl apply leaves them unchanged', async () => {
  const file = `${kubectl.config}-manifests`;
  writeFileSync(file, MANIFEST.replaceAll('NAME', 'ours'));
  const { api } = openContext({ kubeconfig: await plainConfig() });
  expect(await apply(api, readManifests(file), () => {})).toEqual([]);

  const { stdout, stderr } = await kubectl.run(['apply', '-f', file]);

  expect(stdout, stderr).toBe(
    'configmap/ours unchanged\nawsmachinetemplate.infrastructure.cluster.x-k8s.io/ours unchanged\n',
  );
});
