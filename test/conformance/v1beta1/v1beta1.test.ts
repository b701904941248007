import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { kubectlOptions, must, npmStart, run, type Started, stop, whenReady } from '../quickstart/windlass.ts';

const VARIABLES: Readonly<Record<string, string>> = {
  CLUSTER_NAME: 'older',
  AWS_SSH_KEY_NAME: '',
  CONTROL_PLANE_MACHINE_COUNT: '1',
  WORKER_MACHINE_COUNT: '2',
  KUBERNETES_VERSION: 'v1.34.0',
  AWS_CONTROL_PLANE_MACHINE_TYPE: 't3.large',
  AWS_NODE_MACHINE_TYPE: 't3.large',
};

/** Fills in `${NAME}` and `${NAME:=default}` in a template, as `clusterctl generate cluster` does. */
const substitute = (template: string): string =>
  template.replace(/\$\{(\w+)(?::=([^}]*))?\}/g, (_, name: string, otherwise?: string) => {
    const value = VARIABLES[name] ?? otherwise;
    if (value === undefined) throw new Error(`no value for ${name}`);
    return value;
  });

let windlass: Started;
let manifest: string;

const kubectl = (...args: string[]) => must('kubectl', [...kubectlOptions(windlass), ...args]);
const refused = (...args: string[]) => run('kubectl', [...kubectlOptions(windlass), ...args]);

beforeAll(async () => {
  manifest = join(await mkdtemp(join(tmpdir(), 'windlass-v1beta1-')), 'cluster.yaml');
  const template = await readFile(join(import.meta.dirname, 'cluster-template.yaml'), 'utf8');
  await writeFile(manifest, substitute(template));
  windlass = npmStart();
  await whenReady(windlass);
}, LIMIT);
afterAll(() => stop(windlass), LIMIT);

// The tests run in order.
describe('a v1beta1 template with kubectl', { timeout: LIMIT }, () => {
  it('is applied unmodified, with a warning, and is Available within a minute', async () => {
    const { code, stdout, stderr } = await refused('apply', '-f', manifest);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout.match(/created/g)).toHaveLength(10);
    expect(stderr).toContain('Warning: cluster.x-k8s.io/v1beta1 Cluster is deprecated');
    await kubectl('wait', '--for=condition=Available', 'cluster/older', `--timeout=${PATIENCE_SECONDS}s`);
  });

  it('is unchanged when it is applied again', async () => {
    expect((await kubectl('apply', '-f', manifest)).match(/unchanged/g)).toHaveLength(10);
    expect((await refused('diff', '-f', manifest)).stdout).toBe('');
  });

  it('can be applied server-side', async () => {
    const applied = await kubectl('apply', '--server-side', '--force-conflicts', '-f', manifest);
    expect(applied.match(/serverside-applied/g)).toHaveLength(10);
  });

  it('is served in both versions, the newer one first', async () => {
    const versions = await kubectl('api-versions');
    expect(versions).toContain('cluster.x-k8s.io/v1beta1');
    expect((await kubectl('api-resources', '--api-group=cluster.x-k8s.io')).match(/v1beta2/g)?.length).toBeGreaterThan(
      5,
    );
    expect((await kubectl('get', 'clusters.v1beta1.cluster.x-k8s.io')).split('\n')[0]).toMatch(
      /^NAME +CLUSTERCLASS +PHASE +AGE +VERSION/,
    );
    const paths = ['controlPlaneRef.apiVersion', 'controlPlaneRef.namespace']
      .map((path) => `{.spec.${path}}`)
      .join(' ');
    const reference = await kubectl('get', 'clusters.v1beta1.cluster.x-k8s.io', 'older', '-o', `jsonpath=${paths}`);
    expect(reference).toBe('controlplane.cluster.x-k8s.io/v1beta1 default');
    const newer = await kubectl('get', 'kcp', '-o', 'jsonpath={.items[0].spec.machineTemplate.spec.deletion}');
    expect(newer).toBe('{"nodeDrainTimeoutSeconds":300}');
  });

  it('explains the fields of either version', async () => {
    const path = 'machinedeployments.spec.strategy.rollingUpdate';
    expect(await kubectl('explain', path, '--api-version=cluster.x-k8s.io/v1beta1')).toContain('deletePolicy');
    expect((await refused('explain', path)).stderr).toMatch(/field "\w+" does not exist/);
  });

  it('explains what each field does, in either version and in the definitions', async () => {
    const strategy = await kubectl('explain', 'machinedeployments.spec.rollout.strategy');
    expect(strategy).toMatch(/type\t<string>[\s\S]*RollingUpdate replaces/);
    const older = await kubectl('explain', 'machinedeployment.spec.strategy', '--api-version=cluster.x-k8s.io/v1beta1');
    expect(older).toMatch(/DESCRIPTION:\s+How machines of an outdated template are replaced\./);
    expect(await kubectl('explain', 'machinedeployment', '--recursive')).not.toContain('<no description>');
    for (const text of [strategy, older]) expect(text).not.toContain('<no description>');
    const inDefinition = '{.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.replicas.description}';
    const name = 'machinedeployments.cluster.x-k8s.io';
    expect(await kubectl('get', 'crd', name, '-o', `jsonpath=${inDefinition}`)).toMatch(/^Number of machines to run\./);
  });

  it('is scaled and patched in the older version', async () => {
    const deployment = 'machinedeployments.v1beta1.cluster.x-k8s.io/older-md-0';
    await kubectl('scale', deployment, '--replicas=3');
    await kubectl('patch', deployment, '--type=merge', '-p', '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":2}}}}');
    const fields = ['.spec.replicas', '.spec.rollout.strategy.rollingUpdate.maxSurge', '.spec.deletion.order'];
    const text = await kubectl(
      'get',
      'md',
      'older-md-0',
      '-o',
      `jsonpath=${fields.map((path) => `{${path}}`).join(' ')}`,
    );
    expect(text).toBe('3 2 Oldest');
    const wrong = ['patch', deployment, '--type=merge', '-p', '{"spec":{"rollout":{}}}', '--dry-run=server'];
    expect((await refused(...wrong)).stderr).toContain('unknown field "spec.rollout"');
    const bad = [
      'patch',
      deployment,
      '--type=merge',
      '-p',
      '{"spec":{"template":{"spec":{"nodeDrainTimeout":"soon"}}}}',
    ];
    expect((await refused(...bad)).stderr).toContain('spec.template.spec.nodeDrainTimeout');
  });

  it('is watched in the older version', async () => {
    const condition = '--for=jsonpath={.status.v1beta2.upToDateReplicas}=3';
    await kubectl(
      'wait',
      condition,
      'machinedeployments.v1beta1.cluster.x-k8s.io/older-md-0',
      `--timeout=${PATIENCE_SECONDS}s`,
    );
  });

  it('is deleted', async () => {
    await kubectl('delete', 'clusters.v1beta1.cluster.x-k8s.io', 'older', `--timeout=${PATIENCE_SECONDS}s`);
    expect((await kubectl('get', 'machines,md,kcp', '-o', 'name')).trim()).toBe('');
  });
});
