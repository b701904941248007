import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLUSTERCTL_ENVIRONMENT } from '../../../infra/cli/conformance/clusterctl.ts';
import type { Machine, MachineSet } from '../../../shared/kinds/index.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import {
  kubectlOptions,
  must,
  npmStart,
  type Result,
  run,
  type Started,
  stop,
  until,
  whenAvailable,
} from '../quickstart/windlass.ts';

const DEPLOYMENT = 'machinedeployment/quickstart-md-0';
const CONTROL_PLANE = 'kubeadmcontrolplane/quickstart-control-plane';

let windlass: Started;
beforeAll(async () => {
  windlass = npmStart(['--apply', 'examples/quickstart.yaml']);
  await whenAvailable(windlass);
}, LIMIT);
afterAll(() => stop(windlass), LIMIT);

const rollout = (verb: string, target: string): Promise<Result> =>
  run('clusterctl', ['alpha', 'rollout', verb, target, '--kubeconfig', windlass.kubeconfig], CLUSTERCTL_ENVIRONMENT);
const kubectl = (...args: string[]) => must('kubectl', [...kubectlOptions(windlass), ...args]);
const refused = async (...args: string[]): Promise<string> =>
  (await run('kubectl', [...kubectlOptions(windlass), ...args])).stderr;
const list = async <T>(kind: string, selector: string): Promise<T[]> =>
  JSON.parse(await kubectl('get', kind, '-l', selector, '-o', 'json')).items as T[];

const isRunning = ({ status, metadata }: Machine) => status?.phase === 'Running' && !metadata.deletionTimestamp;
const workers = () => list<Machine>('machines', 'cluster.x-k8s.io/deployment-name=quickstart-md-0');
const controlPlane = () => list<Machine>('machines', 'cluster.x-k8s.io/control-plane');
const namesOf = (machines: readonly Machine[]) => machines.map(({ metadata }) => metadata.name).sort();
const settled = async (look: () => Promise<Machine[]>, count: number): Promise<boolean> => {
  const machines = await look();
  return machines.length === count && machines.every(isRunning);
};
const sets = async () =>
  (await list<MachineSet>('machinesets', 'cluster.x-k8s.io/deployment-name=quickstart-md-0')).map(
    ({ metadata, spec }) => [metadata.name, spec.replicas] as const,
  );

// The tests run in order.
describe('kubectl scale', { timeout: LIMIT }, () => {
  it('scales a MachineDeployment both ways, and only from the expected number', async () => {
    expect(await kubectl('scale', DEPLOYMENT, '--replicas=2')).toContain('scaled');
    await until('two workers are left', () => settled(workers, 2));
    expect(await refused('scale', DEPLOYMENT, '--current-replicas=3', '--replicas=1')).toContain(
      'Expected replicas to be 3, was 2',
    );
    await kubectl('scale', DEPLOYMENT, '--replicas=3');
    await until('three workers run', () => settled(workers, 3));
  });

  it('scales a MachineSet, which its MachineDeployment reverts', async () => {
    const [[name] = ['']] = await sets();
    await kubectl('scale', `machineset/${name}`, '--replicas=5');
    await until('the deployment has its number again', async () => (await sets())[0]?.[1] === 3);
    await until('three workers run', () => settled(workers, 3));
  });

  it('refuses an even number of control plane machines, or zero', async () => {
    expect(await refused('scale', CONTROL_PLANE, '--replicas=2')).toContain(
      'spec.replicas: Forbidden: cannot be an even number when etcd is stacked',
    );
    expect(await refused('scale', CONTROL_PLANE, '--replicas=0')).toContain('cannot be less than or equal to 0');
  });

  it('scales a control plane', async () => {
    await kubectl('scale', CONTROL_PLANE, '--replicas=1');
    await until('one control plane machine is left', () => settled(controlPlane, 1));
    await kubectl('scale', DEPLOYMENT, '--replicas=1');
    await until('one worker is left', () => settled(workers, 1));
  });
});

describe('clusterctl alpha rollout', { timeout: LIMIT }, () => {
  it('pauses a MachineDeployment, which then changes nothing, and cannot restart a paused one', async () => {
    const before = namesOf(await workers());
    expect((await rollout('pause', DEPLOYMENT)).code).toBe(0);
    expect((await rollout('pause', DEPLOYMENT)).stderr).toContain('already paused');
    expect((await rollout('restart', DEPLOYMENT)).stderr).toContain("can't restart paused MachineDeployment");
    const patch = JSON.stringify({ spec: { template: { spec: { failureDomain: 'us-east-1a' } } } });
    await kubectl('patch', DEPLOYMENT, '--type=merge', '-p', patch);
    const generation = await kubectl('get', DEPLOYMENT, '-o', 'jsonpath={.metadata.generation}');
    await until('the change is seen', async () => {
      const observed = await kubectl('get', DEPLOYMENT, '-o', 'jsonpath={.status.observedGeneration}');
      return observed === generation;
    });
    expect(namesOf(await workers())).toEqual(before);
    expect(await sets()).toHaveLength(1);
  });

  it('resumes a MachineDeployment, whose pending change is rolled out', async () => {
    const before = namesOf(await workers());
    expect((await rollout('resume', DEPLOYMENT)).code).toBe(0);
    expect((await rollout('resume', DEPLOYMENT)).stderr).toContain('not currently paused');
    await until('all workers are new', async () => !namesOf(await workers()).some((name) => before.includes(name)));
    await until('the worker runs', () => settled(workers, 1));
  });

  it('restarts a MachineDeployment: every machine is replaced', async () => {
    const before = namesOf(await workers());
    expect(await rollout('restart', DEPLOYMENT)).toMatchObject({ code: 0 });
    await until('all workers are new', async () => !namesOf(await workers()).some((name) => before.includes(name)));
    await until('the worker runs', () => settled(workers, 1));
  });

  it('pauses, resumes and restarts a control plane', async () => {
    const before = namesOf(await controlPlane());
    expect((await rollout('pause', CONTROL_PLANE)).code).toBe(0);
    expect((await rollout('restart', CONTROL_PLANE)).stderr).toContain("can't restart paused KubeadmControlPlane");
    expect((await rollout('resume', CONTROL_PLANE)).code).toBe(0);
    expect((await rollout('resume', CONTROL_PLANE)).stderr).toContain('not currently paused');
    expect(await rollout('restart', CONTROL_PLANE)).toMatchObject({ code: 0 });
    await until('the machine is another', async () => {
      const now = await controlPlane();
      return now.length === 1 && now.every(isRunning) && !before.includes(namesOf(now)[0] ?? '');
    });
  });
});
