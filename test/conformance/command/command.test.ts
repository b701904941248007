import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT, PATIENCE } from '../../../shared/test-patience.ts';
import {
  must,
  npmStart,
  type Result,
  readEnvironment,
  run,
  type Started,
  stop,
  until,
  whenReady,
} from '../quickstart/windlass.ts';

const VERSION = /^\d+\.\d+\.\d+\n$/;

let started: Started;
let environment: Record<string, string>;

/** Runs `windlass` as a user of the started installation would. */
const windlass = (...args: string[]): Promise<Result> =>
  run(process.execPath, ['infra/cli/windlass.ts', ...args], { WINDLASS_HOME: started.home });

const aws = (...args: string[]): Promise<string> => must('aws', args, environment);

interface Description {
  problems: { objects: string[]; type: string; reason: string; next?: string }[];
  tree: { state: string };
  topology?: { zones: object[] };
  cost?: { usdPerMonth: number };
  events: { reason: string }[];
}

const description = async (): Promise<Description> =>
  JSON.parse((await windlass('describe', 'cluster', 'quickstart', '-o', 'json')).stdout);

beforeAll(async () => {
  started = npmStart(['--boot', '0.2']);
  await whenReady(started);
  environment = readEnvironment(started);
  await must('kubectl', ['--kubeconfig', started.kubeconfig, 'apply', '-f', 'examples/quickstart.yaml']);
  await until('the cluster is available', async () => (await description()).tree.state === 'Available');
}, LIMIT);

afterAll(() => stop(started), LIMIT);

describe('start', { timeout: LIMIT }, () => {
  it('reports at once that it starts, and shows the resources that others apply', async () => {
    expect(started.output()).toMatch(/^Starting Windlass/);
    const running =
      /^\d\d:\d\d:\d\d {2}default\/quickstart {2}Machine quickstart-\S+ {2}\w+ → Running {2}i-\w+ us-east-1\w$/m;
    await expect.poll(() => started.output(), PATIENCE).toMatch(running);
    await expect.poll(() => started.output(), PATIENCE).toMatch(/Cluster quickstart {2}\w+ → Available/);
  });

  it('refuses to share its directory, and names the process that uses it', async () => {
    const second = npmStart([], started.home);
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`${started.home} is in use by process ${started.child.pid}`);
  });
});

describe('commands', { timeout: LIMIT }, () => {
  it('list the fleet', async () => {
    const { stdout } = await windlass('get', 'clusters');
    const [header, line] = stdout.split('\n');
    expect(header).toMatch(/^NAMESPACE +NAME +PHASE +AVAILABLE +CONTROL PLANE +WORKERS +VERSION +AGE$/);
    expect(line).toMatch(/^default +quickstart +Provisioned +True +3\/3 +3\/3 +v1\.34\.0 +\d+[sm]\S*$/);
  });

  it('show a cluster as a tree with its events, and fail for one that does not exist', async () => {
    const { stdout } = await windlass('describe', 'cluster', 'quickstart', '--show-conditions', 'KubeadmControlPlane');
    expect(stdout).toMatch(/^└─ MachineDeployment quickstart-md-0 +3 of 3 running +v1\.34\.0 +\d+[sm]\S*$/m);
    expect(
      stdout.match(/─ Machine quickstart\S+ +Running +v1\.34\.0 +us-east-1\w +i-\w+ +ip-\S+ +\d+[sm]\S*$/gm),
    ).toHaveLength(6);
    expect(stdout).toMatch(/EtcdClusterHealthy: True {2}Healthy {2}\d+[sm]/);
    expect(stdout).toMatch(/^Events$/m);
    expect(await windlass('describe', 'cluster', 'other')).toMatchObject({
      code: 1,
      stderr: 'there is no Cluster other in namespace default\n',
    });
  });

  it('colour their output on request only', async () => {
    const coloured = (variables: Record<string, string>) =>
      run(process.execPath, ['infra/cli/windlass.ts', 'describe', 'cluster', 'quickstart'], {
        WINDLASS_HOME: started.home,
        ...variables,
      });
    expect((await coloured({})).stdout).not.toContain('\u001b');
    expect((await coloured({ FORCE_COLOR: '1' })).stdout).toContain('\u001b[');
    expect((await coloured({ NO_COLOR: '1' })).stdout).not.toContain('\u001b');
  });

  it('request a pass, whose steps the log then shows', async () => {
    const steps = async (): Promise<number> =>
      (await windlass('logs', 'quickstart')).stdout.split('\n').filter((line) => line.includes('cluster-objects/begin'))
        .length;
    const before = await steps();
    expect((await windlass('reconcile', 'quickstart')).stdout).toContain(
      'Requested a reconciliation of Cluster quickstart',
    );
    await expect.poll(steps, PATIENCE).toBeGreaterThan(before);
    expect((await windlass('logs', 'nobody')).stdout).toBe('');
  });

  it('show the network of a cluster and its cost, also with prices from a file', async () => {
    const { stdout } = await windlass('describe', 'cluster', 'quickstart');
    expect(stdout).toMatch(/^Network in us-east-1$/m);
    expect(stdout).toMatch(/^ {2}VPC +vpc-\w+ +10\.0\.0\.0\/16 +Ready$/m);
    expect(stdout).toMatch(/^ {2}Load balancer +\S+ +nlb, internet-facing +\S+ +Ready$/m);
    expect(stdout).toMatch(/^ {2}us-east-1c +subnet-\w+ +public +10\.0\.32\.0\/20 +nat-\w+ +\d+$/m);
    expect(stdout).toMatch(/^Cost per month: 520 USD$/m);
    expect(stdout).toMatch(/^ {2}6 +t3\.large +364\.42$/m);
    expect((await description()).cost).toMatchObject({ usdPerMonth: 520.49, isLowerBound: false });
    expect((await description()).topology?.zones).toHaveLength(3);

    const prices = join(mkdtempSync(join(tmpdir(), 'windlass-prices-')), 'prices.yaml');
    writeFileSync(prices, 'date: 2026-11-01\nregions: {us-east-1: {instances: {t3.large: 0}}}\n');
    const wide = await windlass('get', 'clusters', '-o', 'wide', '--prices', prices);
    expect(wide.stdout).toMatch(/DRIFT +COST\/MONTH\n.* none +156 USD\n\nAll clusters: 156 USD a month/);
    expect(wide.stdout).toContain('your prices of us-east-1, 2026-11-01');
    writeFileSync(prices, 'date: 2026-11-01\nregions: {us-east-1: {natGateway: cheap}}\n');
    expect(await windlass('describe', 'cluster', 'quickstart', '--prices', prices)).toMatchObject({
      code: 1,
      stderr: `the file of prices ${prices}: regions.us-east-1.natGateway must be a number\n`,
    });
  });

  it('sweep immediately and show what was found, which describe then lists first', async () => {
    const ids = await aws('ec2', 'describe-instances', '--query', 'Reservations[].Instances[].InstanceId');
    const [id = ''] = JSON.parse(ids);
    await aws('ec2', 'stop-instances', '--instance-ids', id);
    const { stdout } = await windlass('sweep');
    expect(stdout).toMatch(/^Compared 6 machines with AWS/);
    await expect
      .poll(async () => (await description()).problems, PATIENCE)
      .toContainEqual(expect.objectContaining({ type: 'InstanceReady', reason: 'InstanceStopped' }));
    expect((await description()).problems.find(({ type }) => type === 'InstanceReady')?.next).toMatch(
      /^Start the instance/,
    );
    expect((await description()).cost).toMatchObject({ usdPerMonth: 459.75 });
  });

  it('check the installation without printing its secrets', async () => {
    const { code, stdout } = await windlass('doctor');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✔ Kubernetes API +https:\/\/127\.0\.0\.1:\d+\/k8s answers as Kubernetes v/m);
    expect(stdout).toMatch(/^✔ AWS credentials +arn:aws:sts::000000000000:.*\(simulated\)$/m);
    expect(stdout).toMatch(/^✔ Quota "VPCs per Region" +\d+ of \d+ used/m);
    expect(stdout).not.toContain(environment.AWS_SECRET_ACCESS_KEY);
  });
});

describe('the command line', { timeout: LIMIT }, () => {
  it('takes a kubeconfig and a context as kubectl does', async () => {
    const elsewhere = { WINDLASS_HOME: mkdtempSync(join(tmpdir(), 'windlass-nothing-')), HOME: '/nonexistent' };
    const get = (...args: string[]) =>
      run(process.execPath, ['infra/cli/windlass.ts', 'get', 'clusters', ...args], elsewhere);
    expect((await get()).stderr).toMatch(/^no Kubernetes API is known: start one with `windlass start`/);
    expect((await get('--kubeconfig', started.kubeconfig)).stdout).toContain('quickstart');
    expect((await get('--kubeconfig', started.kubeconfig, '--context', 'other')).stderr).toBe(
      '--context other: the kubeconfig has only windlass\n',
    );
    expect((await get('--kubeconfig', '/no/file')).stderr).toBe('--kubeconfig /no/file: there is no such file\n');
  });

  it('has a version, and help with examples', async () => {
    expect((await windlass('--version')).stdout).toMatch(VERSION);
    const { stdout } = await windlass('--help');
    for (const part of ['Clusters:', 'Operate:', 'Run Windlass:', 'Examples:']) expect(stdout).toContain(part);
    expect((await windlass('describe', 'cluster', '--help')).stdout).toContain(
      'windlass describe cluster demo --watch',
    );
  });

  it('completes commands and options in bash', async () => {
    const script = [
      'windlass() { node infra/cli/windlass.ts "$@"; }',
      'source <(windlass complete bash)',
      'complete -p windlass',
      'windlass complete -- describe cluster --sho',
      'windlass complete -- d',
    ].join('\n');
    const stdout = await must('bash', ['-c', script], { WINDLASS_HOME: started.home });
    expect(stdout).toMatch(/^complete .*windlass$/m);
    expect(stdout).toMatch(/^--show-conditions\b/m);
    expect(stdout).toMatch(/^describe\b/m);
    expect(stdout).toMatch(/^doctor\b/m);
  });
});
