import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClusterCertificates,
  generateClusterCertificates,
} from '../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { type Cluster, kinds, type LoadBalancerSpec, type Secret } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { readInitializer } from '../../../shared/plan/memory/initializer.ts';
import { fakeBootstrapObjects } from '../../../shared/providers/aws/api/test-bootstrap-objects.ts';
import { systemRandom } from '../../../shared/random.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../../../shared/store/test-table.ts';
import { createWorkStore } from '../../../shared/store/work/work-store.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { controllerScopeOf } from '../../providers/aws/aws-scope.ts';
import { makeBootstrapDelivery } from '../../providers/aws/bootstrap-remains.ts';
import { endInit, readInitHolder } from './init-lock.ts';
import { makeMachineObjectsSteps } from './steps.ts';
import { machineObjects, makeClusterObjects } from './test-objects.ts';

let database: TestDatabase;
const clock = testClock('2026-01-01T00:00:00Z');
const context = { log: { info() {}, warn() {}, error() {}, with: () => context.log } } as never as Parameters<
  ReturnType<typeof makeMachineObjectsSteps>['bootstrapData']
>[1];

let certificates: ClusterCertificates;

beforeAll(async () => {
  database = await startTestDatabase();
  const dependencies = { clock, random: systemRandom, keys: webCryptoKeys };
  certificates = await generateClusterCertificates({ ...dependencies, algorithm: 'ECDSA-P256' });
});
afterAll(() => database.stop());

const world = async () => {
  const { objects, put, cluster } = await makeClusterObjects(clock, certificates);
  const work = createWorkStore({ client: database.client, table: await database.makeTable(), clock });
  const touched: string[] = [];
  const deleted: string[] = [];
  const remove = async (name: string) => {
    deleted.push(name);
    return 'gone' as const;
  };
  const bootstrapSecrets = { create: async () => {}, delete: remove };
  const stores = () => ({ bootstrapObjects: fakeBootstrapObjects(), bootstrapSecrets });
  const steps = makeMachineObjectsSteps({
    objects,
    work,
    clock,
    touch: async ({ name }) => void touched.push(name),
    deliveries: { aws: makeBootstrapDelivery({ objects, clock, scopeOf: controllerScopeOf, stores }) },
  });
  const control = async (kubeadmConfigSpec: object) => {
    const key = { namespace: 'default', name: 'red' };
    const controlPlaneRef = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'red' };
    const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 't' };
    await put({
      apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmControlPlane',
      metadata: { ...key, labels: { 'cluster.x-k8s.io/cluster-name': 'red' } },
      spec: { version: 'v1.34.0', machineTemplate: { spec: { infrastructureRef } }, kubeadmConfigSpec },
    } as KubeObject);
    await objects.mutate(kinds.cluster, key, ({ spec, ...rest }) => ({ ...rest, spec: { ...spec, controlPlaneRef } }));
  };
  const add = async (name: string, controlPlane: boolean): Promise<MachineInput> => {
    const [machine] = await Promise.all(machineObjects(name, controlPlane).map(put));
    const uid = machine?.metadata.uid ?? '';
    const ref = { namespace: 'default', name, uid, clusterName: 'red', clusterUid: cluster?.metadata.uid ?? '' };
    return { machine: ref, holder: `${uid}-1` };
  };
  const body = async (name: string): Promise<string> => {
    const secret = (await objects.get(kinds.secret, { namespace: 'default', name })) as Secret;
    return Buffer.from(secret.data?.value ?? '', 'base64').toString('utf8');
  };
  return { objects, work, steps, control, add, body, touched, deleted };
};

describe('the bootstrap data of machines', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world();
  });

  it('let exactly one of several control plane machines run kubeadm init, in any order', async () => {
    const inputs = await Promise.all(['cp-1', 'cp-2', 'cp-3'].map((name) => w.add(name, true)));
    await Promise.all(inputs.map((input) => w.steps.bootstrapData(input, context)));
    const bodies = await Promise.all(['cp-1', 'cp-2', 'cp-3'].map(w.body));

    expect(bodies.filter((body) => body.includes('kubeadm init --config'))).toHaveLength(1);
    expect(bodies.filter((body) => body.includes('kubeadm join --config'))).toHaveLength(2);
    expect(bodies.every((body) => body.includes('/etc/kubernetes/pki/ca.key'))).toBe(true);
  });

  it.each([
    { taints: undefined, tainted: true },
    { taints: [], tainted: false },
  ])('record which machine runs kubeadm init, and that taints $taints make its node tainted: $tainted', async (one) => {
    const key = { namespace: 'default', name: 'red' };
    await w.control({ initConfiguration: { nodeRegistration: { imagePullSerial: true, taints: one.taints } } });
    const [first, second] = [await w.add('cp-1', true), await w.add('cp-2', true)];
    await w.steps.bootstrapData(first, context);
    await w.steps.bootstrapData(second, context);

    const infrastructure = await w.objects.get(kinds.awsCluster, key);
    expect(readInitializer(infrastructure)).toEqual({ machine: first.machine.uid, tainted: one.tainted });
  });

  it('do not let the init machine wait for a load balancer that preserves client addresses', async () => {
    const stays = async (fields: LoadBalancerSpec) => {
      const other = await world();
      const key = { namespace: 'default', name: 'red' };
      await other.objects.mutate(kinds.awsCluster, key, (current) => ({
        ...current,
        spec: { ...current.spec, controlPlaneLoadBalancer: fields },
      }));
      await other.steps.bootstrapData(await other.add('cp-1', true), context);
      return /^ *endpoint_stays='(.*)'$/m.exec(await other.body('cp-1'))?.[1];
    };

    expect(await stays({ loadBalancerType: 'nlb', preserveClientIP: true })).toBe('yes');
    expect(await stays({ preserveClientIP: true })).toBe('yes');
    expect(await stays({ loadBalancerType: 'nlb' })).toBe('');
    expect(await stays({ loadBalancerType: 'classic', preserveClientIP: true })).toBe('');
  });

  it('contain, for the init machine, the token that each other machine joins with', async () => {
    const first = await w.add('cp-1', true);
    const worker = await w.add('w-1', false);
    await w.steps.bootstrapData(first, context);
    await w.steps.bootstrapData(worker, context);
    const token = /token: ([a-z0-9]{6}\.[a-z0-9]{16})/.exec(await w.body('w-1'))?.[1];

    expect(token).toBeDefined();
    expect(await w.body('cp-1')).toContain(token);
  });

  it('contain no private key for a worker', async () => {
    const worker = await w.add('w-1', false);
    await w.steps.bootstrapData(worker, context);
    expect(await w.body('w-1')).not.toContain('PRIVATE KEY');
  });

  it('are never regenerated, and another machine gets the lock of a lost init machine', async () => {
    const first = await w.add('cp-1', true);
    await w.steps.bootstrapData(first, context);
    const before = await w.body('cp-1');
    await w.steps.bootstrapData(first, context);
    expect(await w.body('cp-1')).toBe(before);

    await w.objects.mutate(kinds.machine, first.machine, (m) => ({
      ...m,
      metadata: { ...m.metadata, finalizers: [] },
    }));
    await w.objects.delete(kinds.machine, first.machine);
    const second = await w.add('cp-2', true);
    await w.steps.bootstrapData(second, context);
    expect(await w.body('cp-2')).toContain('kubeadm init --config');
  });

  it('let no machine initialize while another may have joined, or after the control plane was observed', async () => {
    const [first, second, third] = await Promise.all(['cp-1', 'cp-2', 'cp-3'].map((name) => w.add(name, true)));
    if (!first || !second || !third) throw new Error('not added');
    await w.steps.bootstrapData(first, context);
    await w.steps.bootstrapData(second, context);
    const launch = (id: string | undefined) =>
      w.objects.mutate(kinds.awsMachine, second.machine, ({ spec, ...rest }) => ({
        ...rest,
        spec: { ...spec, instanceID: id },
      }));
    await launch('i-2');
    await w.objects.mutate(kinds.machine, first.machine, (m) => ({
      ...m,
      metadata: { ...m.metadata, finalizers: [] },
    }));
    await w.objects.delete(kinds.machine, first.machine);
    await w.steps.bootstrapData(third, context);
    expect(await w.body('cp-3')).toContain('kubeadm join --config');

    await launch(undefined);
    const cluster = (await w.objects.get(kinds.cluster, { namespace: 'default', name: 'red' })) as Cluster;
    await endInit(w.objects, cluster);
    expect(await readInitHolder(w.objects, cluster)).toBeUndefined();
    await w.steps.bootstrapData(third, context);
    expect(await w.body('cp-3')).toContain('kubeadm join --config');
  });

  it('are reported on the objects of the machine without any of their content', async () => {
    const worker = await w.add('w-1', false);
    await w.steps.bootstrapData(worker, context);
    const machine = await w.objects.get(kinds.machine, worker.machine);

    expect(machine?.spec.bootstrap.dataSecretName).toBe('w-1');
    expect(machine?.status).toMatchObject({
      phase: 'Provisioning',
      initialization: { bootstrapDataSecretCreated: true },
    });
    expect(JSON.stringify(machine)).not.toContain('kubeadm join');
  });

  it('fail with the name of a missing secret that a file refers to, and are retried after a pause', async () => {
    const input = await w.add('w-1', false);
    await w.objects.mutate(kinds.kubeadmConfig, input.machine, (config) => ({
      ...config,
      spec: { ...config.spec, files: [{ path: '/etc/x', contentFrom: { secret: { name: 'absent', key: 'x' } } }] },
    }));
    await w.steps.beginProvision(input, context);
    await expect(w.steps.bootstrapData(input, context)).rejects.toThrow(/secret "absent"/);
    const Cause = JSON.stringify({ errorMessage: 'there is no secret "absent"' });
    await w.steps.fail({ ...input, failure: { Error: 'MissingReference', Cause } }, context);

    const events = await w.objects.list(kinds.event, 'default');
    expect(events.map(({ message }) => message)).toContain('MissingReference: there is no secret "absent"');
    const busy = async () => (await w.work.machinesInWork({ namespace: 'default', name: 'red', uid: '' })).busy;
    expect(await busy()).toContain(input.machine.uid);
    clock.advance(60);
    expect(await busy()).not.toContain(input.machine.uid);
    expect(w.touched).toEqual(['red']);
  });
});

describe('the removal or provisioning of a machine', () => {
  it('deletes all objects of the machine, and secrets that it did not fetch', async () => {
    const w = await world();
    const input = await w.add('w-1', false);
    await w.steps.bootstrapData(input, context);
    await w.objects.mutate(kinds.awsMachine, input.machine, (m) => ({
      ...m,
      spec: { ...m.spec, cloudInit: { secretPrefix: 'p', secretCount: 2 } },
    }));
    await w.objects.delete(kinds.machine, input.machine);
    expect(await w.steps.beginRemove(input, context)).toMatchObject({ proceed: true });
    const infrastructure = await w.objects.get(kinds.awsMachine, input.machine);
    await w.work.recordRemoval(input.machine, input.holder, infrastructure?.metadata.uid ?? '');
    await w.steps.finishRemove(input, context);

    for (const kind of [kinds.machine, kinds.awsMachine, kinds.kubeadmConfig])
      expect(await w.objects.list<KubeObject>(kind as never)).toEqual([]);
    expect(await w.objects.get(kinds.secret, input.machine)).toBeUndefined();
    expect(w.deleted.sort()).toEqual(['p-0', 'p-1']);
    expect(w.touched).toEqual(['red']);
  });

  it.each([
    { reason: 'has a node', status: { nodeRef: { name: 'n' } }, instanceState: 'running', deleted: ['p-0', 'p-1'] },
    {
      reason: 'has lost its instance',
      status: { phase: 'Provisioning' },
      instanceState: 'terminated',
      deleted: ['p-0', 'p-1'],
    },
    { reason: 'has no node yet', status: { phase: 'Provisioning' }, instanceState: 'running', deleted: [] },
  ])(
    'deletes secrets that were not fetched by a machine that $reason: $deleted',
    async ({ status, instanceState, deleted }) => {
      const w = await world();
      const input = await w.add('w-1', false);
      await w.objects.mutate(kinds.awsMachine, input.machine, (m) => ({
        ...m,
        spec: { ...m.spec, cloudInit: { secretPrefix: 'p', secretCount: 2 } },
        status: { ...m.status, instanceState: instanceState as 'running' },
      }));
      await w.objects.mutate(kinds.machine, input.machine, (m) => ({
        ...m,
        status: { ...m.status, ...status } as never,
      }));
      await w.steps.finishProvision(input, context);
      expect(w.deleted.sort()).toEqual(deleted);
    },
  );

  it('runs in one execution at a time, and does not provision a machine that is being deleted', async () => {
    const w = await world();
    const input = await w.add('w-1', false);
    const providers = { infrastructure: 'aws', endpoint: 'aws' };
    expect(await w.steps.beginProvision(input, context)).toEqual({ proceed: true, controlPlane: false, ...providers });
    expect(await w.steps.beginProvision({ ...input, holder: 'another' }, context)).toMatchObject({ proceed: false });
    await w.objects.delete(kinds.machine, input.machine);
    expect(await w.steps.beginProvision(input, context)).toMatchObject({ proceed: false });
  });

  it('sets the finalizer on a machine of a user before anything is created for it', async () => {
    const w = await world();
    const input = await w.add('w-1', false);
    await w.objects.mutate(kinds.machine, input.machine, ({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, finalizers: [] },
    }));
    expect(await w.steps.beginProvision(input, context)).toMatchObject({ proceed: true });
    const machine = await w.objects.get(kinds.machine, input.machine);
    expect(machine?.metadata.finalizers).toEqual(['machine.cluster.x-k8s.io']);
  });
});
