import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import {
  interrupt,
  kubectlOptions,
  must,
  npmStart,
  readEnvironment,
  run,
  type Started,
  stop,
  until,
  whenReady,
} from './windlass.ts';

let windlass: Started;
let workload: string;

const kubectl = (...args: string[]) => must('kubectl', [...kubectlOptions(windlass), ...args]);
const inside = (...args: string[]) =>
  must('kubectl', ['--kubeconfig', workload, '--cache-dir', `${workload}-cache`, ...args]);

beforeAll(async () => {
  windlass = npmStart();
  await whenReady(windlass);
}, LIMIT);
afterAll(() => stop(windlass), LIMIT);

const readyNodes = async (): Promise<string[]> => {
  const text = await inside(
    'get',
    'nodes',
    '-o',
    'jsonpath={range .items[*]}{.spec.providerID} {.status.conditions[?(@.type=="Ready")].status}{"\\n"}{end}',
  );
  return text.split('\n').flatMap((line) => (line.endsWith(' True') ? [line.split(' ')[0] ?? ''] : []));
};

// The tests run in order, as a new user would proceed.
describe('the quickstart with kubectl and the AWS CLI', { timeout: LIMIT }, () => {
  it('is applied, and Available within a minute', async () => {
    const applied = await kubectl('apply', '-f', 'examples/quickstart.yaml');
    expect(applied.match(/created/g)).toHaveLength(7);
    await kubectl('wait', '--for=condition=Available', 'cluster/quickstart', `--timeout=${PATIENCE_SECONDS}s`);
    expect((await kubectl('apply', '-f', 'examples/quickstart.yaml')).match(/unchanged/g)).toHaveLength(7);
  });

  it('has six Ready nodes with the provider ids of the machines', async () => {
    const secret = await kubectl('get', 'secret', 'quickstart-kubeconfig', '-o', 'jsonpath={.data.value}');
    workload = join(await mkdtemp(join(tmpdir(), 'windlass-quickstart-')), 'kubeconfig');
    await writeFile(workload, Buffer.from(secret, 'base64'), { mode: 0o600 });
    // The cluster becomes Available before all of its machines do.
    await until('six nodes are Ready', async () => (await readyNodes()).length === 6);
    const machines = await kubectl('get', 'machines', '-o', 'jsonpath={range .items[*]}{.spec.providerID}{"\\n"}{end}');

    expect((await readyNodes()).sort()).toEqual(machines.trim().split('\n').sort());
    expect((await inside('get', 'nodes', '-o', 'wide')).match(/v1\.34\.0 +10\.0\.\d+\.\d+/g)).toHaveLength(6);
  });

  it("shows Cluster API's own columns, and describes what happened", async () => {
    expect((await kubectl('get', 'clusters')).split('\n')[0]).toMatch(
      /^NAME +CLUSTERCLASS +AVAILABLE +CP DESIRED +CP AVAILABLE +CP UP-TO-DATE +W DESIRED +W AVAILABLE +W UP-TO-DATE +PHASE +AGE +VERSION/,
    );
    expect((await kubectl('get', 'machines')).split('\n')[0]).toMatch(
      /^NAME +CLUSTER +NODE NAME +FAILURE DOMAIN +READY +AVAILABLE +UP-TO-DATE +PHASE +AGE +VERSION/,
    );
    const description = await kubectl('describe', 'awscluster', 'quickstart');
    expect(description).toContain('SuccessfulCreateVPC');
    expect(await kubectl('get', 'cluster-api')).toContain('machine.cluster.x-k8s.io/');
  });

  it('lets the AWS CLI read the account', async () => {
    const text = await must(
      'aws',
      ['ec2', 'describe-instances', '--query', 'Reservations[].Instances[].State.Name', '--output', 'text'],
      readEnvironment(windlass),
    );
    expect(text.trim().split(/\s+/)).toEqual(Array(6).fill('running'));
  });

  it('has eight nodes after scaling the workers to five', async () => {
    await kubectl('scale', 'machinedeployment', 'quickstart-md-0', '--replicas=5');
    await until('eight nodes', async () => (await readyNodes()).length === 8);
  });

  it('refuses invalid input with the texts of the API server', async () => {
    const even = await run('kubectl', [
      ...kubectlOptions(windlass),
      'scale',
      'kcp',
      'quickstart-control-plane',
      '--replicas=2',
    ]);
    expect(even.stderr).toContain('cannot be an even number when etcd is stacked');
    const patch = [
      'patch',
      'md',
      'quickstart-md-0',
      '--type=merge',
      '-p',
      '{"spec":{"template":{"spec":{"version":"v1"}}}}',
    ];
    expect((await run('kubectl', [...kubectlOptions(windlass), ...patch])).stderr).toContain(
      'spec.template.spec.version',
    );
  });

  it('is not disturbed by a second npm start on its port, which reports the conflict in one line', async () => {
    const before = readFileSync(windlass.kubeconfig, 'utf8');
    const port = /server: https:\/\/127\.0\.0\.1:(\d+)/.exec(before)?.[1] ?? '';
    const second = npmStart(['--port', port], windlass.home);
    expect(await second.ended).toBe(1);
    const said = second
      .output()
      .split('\n')
      .filter((line) => line.includes(`port ${port}`));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/in use/);
    expect(readFileSync(windlass.kubeconfig, 'utf8')).toBe(before);
  });

  it('is deleted, and the account contains nothing of it', async () => {
    await kubectl('delete', 'cluster', 'quickstart', `--timeout=${PATIENCE_SECONDS}s`);
    const environment = readEnvironment(windlass);
    const list = async (service: string, command: string, query: string) =>
      JSON.parse(await must('aws', [service, command, '--query', query, '--output', 'json'], environment));
    expect(await list('ec2', 'describe-vpcs', 'Vpcs[?!IsDefault]')).toEqual([]);
    expect(await list('elbv2', 'describe-load-balancers', 'LoadBalancers')).toEqual([]);
    expect(await list('ec2', 'describe-addresses', 'Addresses')).toEqual([]);
    expect(await list('ec2', 'describe-instances', 'Reservations[].Instances[?State.Name!=`terminated`][]')).toEqual(
      [],
    );
    expect(await list('secretsmanager', 'list-secrets', 'SecretList')).toEqual([]);
    const left = await kubectl('get', 'clusters,kcp,md,ms,machines,awsclusters,awsmachines,secrets', '-o', 'name');
    expect(left.trim()).toBe('');
  });

  it('stops cleanly at Ctrl-C', async () => {
    interrupt(windlass);
    expect(await windlass.ended).toBe(0);
  });
});
