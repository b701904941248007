/** Deletes a control plane without its machines and creates it again, as docs/adoption.md describes, with kubectl. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubeconfigText } from '../../../infra/cli/kubeconfig/kubeconfig.ts';
import type { KubeadmControlPlane, Machine, Secret } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { must } from '../quickstart/windlass.ts';
import { aws } from './aws-cli.ts';

const NAME = 'quickstart-control-plane';
const OWNER = `kubeadmcontrolplane/${NAME}`;
const PATIENCE = `--timeout=${PATIENCE_SECONDS}s`;
const NEXT = 'v1.35.2';
const OF_CLUSTER = ['-l', 'cluster.x-k8s.io/cluster-name=quickstart'];

const scratch = mkdtempSync(join(tmpdir(), 'windlass-adoption-'));
const fileOf = (name: string, content: string): string => {
  const file = join(scratch, name);
  writeFileSync(file, content, { mode: 0o600 });
  return file;
};

let laptop: TestLaptop;
let kubeconfig: string;
const kubectl = (...args: string[]) =>
  must('kubectl', ['--kubeconfig', kubeconfig, '--cache-dir', join(scratch, 'cache'), ...args]);
const read = async <T>(...args: string[]): Promise<T> => JSON.parse(await kubectl('get', ...args, '-o', 'json'));

/** Reduces the cluster to a single control plane machine. */
const withoutWorkers = (object: KubeObject): KubeObject => {
  const replicas = { KubeadmControlPlane: 1, MachineDeployment: 0 }[object.kind];
  const { spec } = object as { spec?: object };
  return replicas === undefined ? object : ({ ...object, spec: { ...spec, replicas } } as KubeObject);
};

const machines = async (): Promise<Machine[]> => (await read<{ items: Machine[] }>('machines', ...OF_CLUSTER)).items;
const secrets = async (): Promise<Secret[]> => (await read<{ items: Secret[] }>('secrets', ...OF_CLUSTER)).items;

/** The facts that must not change: the machines, their instances, and the Secrets. */
const facts = async () => ({
  machines: (await machines()).map(({ metadata, spec }) => [metadata.uid, spec.providerID]),
  instances: await laptop.instances(),
  secrets: (await secrets()).map(({ metadata, data }) => [metadata.uid, data]),
});

/** The uid of each object's controller, by the name of the object. */
const controllersOf = (objects: readonly KubeObject[]) =>
  Object.fromEntries(
    objects.map(({ metadata: { name, ownerReferences = [] } }) => [
      name,
      ownerReferences.find(({ controller }) => controller)?.uid,
    ]),
  );

/** The parts of the object that, according to the document, a user saves. */
const saved = ({ apiVersion, kind, metadata, spec }: KubeadmControlPlane) => {
  const { name, namespace, labels, annotations } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, labels, annotations }, spec };
};

beforeAll(async () => {
  laptop = await startTestLaptop();
  kubeconfig = fileOf('kubeconfig', kubeconfigText(laptop.access));
  expect(await laptop.applyFile('examples/quickstart.yaml', withoutWorkers)).toEqual([]);
  await kubectl('wait', '--for=condition=Available', OWNER, PATIENCE);
}, LIMIT);
afterAll(async () => {
  await laptop?.stop();
  rmSync(scratch, { recursive: true, force: true });
}, LIMIT);

// The tests run in order: each continues where the previous one ended.
describe('a control plane that is deleted with --cascade=orphan', { timeout: LIMIT }, () => {
  let before: Awaited<ReturnType<typeof facts>>;
  let file: string;

  it('is deleted, and its machine and keys stay without a controller', async () => {
    before = await facts();
    expect(before.machines).toHaveLength(1);
    const control = await read<KubeadmControlPlane>(OWNER);
    file = fileOf('control-plane.json', JSON.stringify(saved(control)));
    await kubectl('delete', OWNER, '--cascade=orphan', PATIENCE);
    const left = [...(await machines()), ...(await secrets())];
    expect(Object.values(controllersOf(left))).not.toContain(control.metadata.uid);
    expect(await facts()).toEqual(before);
  });

  it('adopts them when it is created again, and creates or replaces nothing', async () => {
    await kubectl('create', '-f', file);
    await kubectl('wait', '--for=condition=Available', OWNER, PATIENCE);
    const { metadata, status } = await read<KubeadmControlPlane>(OWNER);
    expect(status?.replicas).toBe(1);
    const machineNames = (await machines()).map(({ metadata: { name } }) => [name, metadata.uid]);
    expect(controllersOf(await machines())).toEqual(Object.fromEntries(machineNames));
    const keys = ['ca', 'etcd', 'proxy', 'sa', 'kubeconfig'].map((key) => [`quickstart-${key}`, metadata.uid]);
    expect(controllersOf(await secrets())).toMatchObject(Object.fromEntries(keys));
    expect(await facts()).toEqual(before);
  });

  it('upgrades the machine that it has adopted', async () => {
    await kubectl('patch', OWNER, '--type=merge', '-p', JSON.stringify({ spec: { version: NEXT } }));
    await kubectl('wait', `--for=jsonpath={.status.version}=${NEXT}`, OWNER, PATIENCE);
    await kubectl('wait', '--for=jsonpath={.status.replicas}=1', OWNER, PATIENCE);
    const [machine, ...others] = await machines();
    expect(others).toEqual([]);
    expect(machine?.spec.version).toBe(NEXT);
    expect(machine?.metadata.uid).not.toBe(before.machines[0]?.[0]);
  });

  it('leaves nothing when the cluster is deleted', async () => {
    await kubectl('delete', 'cluster', 'quickstart', PATIENCE);
    expect(
      await kubectl('get', 'kcp,md,ms,machines,awsclusters,awsmachines,kubeadmconfigs,secrets', '-o', 'name'),
    ).toBe('');
    expect(await laptop.instances()).toEqual([]);
    expect(await aws(laptop, 'ec2', 'describe-vpcs', '--query', 'Vpcs[?!IsDefault]')).toEqual([]);
    expect(await aws(laptop, 'elbv2', 'describe-load-balancers', '--query', 'LoadBalancers')).toEqual([]);
    expect(await aws(laptop, 'secretsmanager', 'list-secrets', '--query', 'SecretList')).toEqual([]);
  });
});
