import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AWSMachine, AWSMachineTemplate, Event, Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import {
  BOOTSTRAP,
  CONTROL_PLANE,
  CORE,
  conditionOf,
  INFRASTRUCTURE,
  startTestLaptop,
  type TestLaptop,
} from '../../end-to-end/laptop.ts';

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

const workers = async (): Promise<Machine[]> =>
  (await laptop.machines('quickstart')).filter(({ metadata }) => metadata.name.includes('-md-0-'));

const controlPlane = async (): Promise<Machine[]> =>
  (await laptop.machines('quickstart')).filter(
    ({ metadata }) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}),
  );

const readyNodes = async (): Promise<number> => {
  const { items } = await (await laptop.workload('quickstart')).listNode();
  return items.filter((node) => conditionOf(node as never, 'Ready')?.status === 'True').length;
};

/** Reduces the cluster to one worker. */
const withOneWorker = (object: KubeObject): KubeObject =>
  object.kind === 'MachineDeployment'
    ? ({ ...object, spec: { ...(object as { spec?: object }).spec, replicas: 1 } } as KubeObject)
    : object;

/** A Machine and all objects that it refers to, without the labels and owners that controllers set. */
const writtenMachine = (name: string, version: string) => {
  const kubeletExtraArgs = [{ name: 'provider-id', value: 'aws:///{{ v1.availability_zone }}/{{ v1.instance_id }}' }];
  const nodeRegistration = { name: '{{ v1.local_hostname }}', kubeletExtraArgs };
  const iamInstanceProfile = 'nodes.cluster-api-provider-aws.sigs.k8s.io';
  const specs = {
    AWSMachine: { instanceType: 't3.large', iamInstanceProfile },
    KubeadmConfig: { joinConfiguration: { nodeRegistration } },
    Machine: {
      ...{ clusterName: 'quickstart', version },
      bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name } },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name },
    },
  };
  const places = { AWSMachine: INFRASTRUCTURE, KubeadmConfig: BOOTSTRAP, Machine: CORE };
  return (['AWSMachine', 'KubeadmConfig', 'Machine'] as const).map((kind) => {
    const path = places[kind];
    const apiVersion = path.split('/').slice(2, 4).join('/');
    return { path, apiVersion, kind, metadata: { name, namespace: 'default' }, spec: specs[kind] };
  });
};

/**
 * Creates a copy of the Machine that refers to the same objects. The copy is refused, and deleting it changes nothing.
 */
const keepsItsObjects = async (objects: ReturnType<typeof writtenMachine>): Promise<void> => {
  const readMachine = () => laptop.get<AWSMachine>(`${INFRASTRUCTURE}/awsmachines/own`);
  await laptop.until('its own bootstrap data is deleted', async () => {
    const machine = await readMachine();
    return machine?.spec.instanceID && machine.spec.cloudInit?.secretPrefix === undefined;
  });
  const read = async () => ({
    infrastructure: await readMachine(),
    config: await laptop.get<KubeObject>(`${BOOTSTRAP}/kubeadmconfigs/own`),
    secret: await laptop.get<KubeObject>('/api/v1/namespaces/default/secrets/own'),
  });
  const before = await read();
  expect(Object.values(before)).not.toContain(undefined);
  const nodes = await readyNodes();
  // Includes the provider id, like the output of `kubectl get -o yaml`.
  const { metadata, status, ...original } = (await laptop.get<Machine>(`${CORE}/machines/own`)) as Machine;
  const [copied] = objects.filter(({ kind }) => kind === 'Machine');
  expect(original.spec.providerID).toBeDefined();
  await laptop.api.send('POST', `${CORE}/machines`, {
    ...copied,
    ...original,
    metadata: { ...copied?.metadata, name: 'copy' },
  });
  await laptop.until('the copy is refused', async () => {
    const events = await laptop.list<Event>('/api/v1/namespaces/default/events');
    return events.some(
      ({ involvedObject, message }) =>
        involvedObject?.name === 'copy' && message?.includes('is controlled by another Machine'),
    );
  });
  await laptop.api.send('DELETE', `${CORE}/machines/copy`);
  await laptop.until('the copy is gone', async () => (await laptop.get(`${CORE}/machines/copy`)) === undefined);
  expect(await read()).toEqual(before);
  expect(await readyNodes()).toBe(nodes);
  const { items } = await (await laptop.workload('quickstart')).listNode();
  const node = items.find((one) => one.metadata?.name === status?.nodeRef?.name);
  expect(node?.metadata?.annotations?.['cluster.x-k8s.io/machine']).toBe(metadata.name);
};

// The tests run in order: each continues where the previous one ended.
describe('a cluster whose machines change', { timeout: LIMIT }, () => {
  it('runs with three machines', async () => {
    expect(await laptop.applyFile('examples/quickstart.yaml', withOneWorker)).toEqual([]);
    await laptop.until('all machines are available', async () => {
      const found = (await laptop.cluster('quickstart'))?.status;
      return found?.controlPlane?.availableReplicas === 3 && found.workers?.availableReplicas === 1;
    });
  });

  it('shrinks its control plane to one machine, removing the others from etcd first', async () => {
    const path = `${CONTROL_PLANE}/kubeadmcontrolplanes/quickstart-control-plane`;
    await laptop.api.send('PATCH', path, { spec: { replicas: 1 } }, 'application/merge-patch+json');
    await laptop.until('one control plane machine is left', async () => (await controlPlane()).length === 1);

    const events = await laptop.list<KubeObject & { reason: string }>('/api/v1/namespaces/default/events');
    expect(events.filter(({ reason }) => reason === 'EtcdMemberRemoved')).toHaveLength(2);
    expect(await readyNodes()).toBe(2);
  });

  it('replaces its only control plane machine when it is deleted, and keeps the data', async () => {
    const [old] = await controlPlane();
    const before = await laptop.workload('quickstart');
    const note = { metadata: { name: 'kept' }, data: { a: 'b' } };
    await before.createNamespacedConfigMap({ namespace: 'default', body: note });
    await laptop.api.send('DELETE', `${CORE}/machines/${old?.metadata.name}`);
    await laptop.until('only the new machine is there, Running', async () => {
      const now = await controlPlane();
      return now.length === 1 && now[0]?.metadata.uid !== old?.metadata.uid && now[0]?.status?.phase === 'Running';
    });
    expect(await readyNodes()).toBe(2);
    const after = await laptop.workload('quickstart');
    expect((await after.readNamespacedConfigMap({ namespace: 'default', name: 'kept' })).data).toEqual(note.data);
  });

  it('rolls its control plane to another template, adding one before one is deleted', async () => {
    const [old] = await controlPlane();
    const [base] = await laptop.list<AWSMachineTemplate>(`${INFRASTRUCTURE}/awsmachinetemplates`);
    await laptop.api.send('POST', `${INFRASTRUCTURE}/awsmachinetemplates`, {
      ...base,
      metadata: { name: 'quickstart-control-plane-1', namespace: 'default' },
    });
    const path = `${CONTROL_PLANE}/kubeadmcontrolplanes/quickstart-control-plane`;
    const spec = { machineTemplate: { spec: { infrastructureRef: { name: 'quickstart-control-plane-1' } } } };
    await laptop.api.send('PATCH', path, { spec }, 'application/merge-patch+json');

    const sizes = new Set<number>();
    await laptop.until('only the new machine is there, Running', async () => {
      const now = await controlPlane();
      sizes.add(now.length);
      return now.length === 1 && now[0]?.metadata.uid !== old?.metadata.uid && now[0]?.status?.phase === 'Running';
    });
    expect([...sizes].sort()).toEqual([1, 2]);
    expect(await readyNodes()).toBe(2);
  });

  it('rolls its workers to another template, the new machine first', async () => {
    const [old] = await workers();
    const templates = `${INFRASTRUCTURE}/awsmachinetemplates`;
    const template = await laptop.get<AWSMachineTemplate>(`${templates}/quickstart-md-0`);
    await laptop.api.send('POST', templates, {
      ...template,
      metadata: { name: 'quickstart-md-1', namespace: 'default' },
      spec: { template: { spec: { ...template?.spec.template.spec, instanceType: 't3.xlarge' } } },
    });
    const machine = { infrastructureRef: { name: 'quickstart-md-1' } };
    await laptop.api.send(
      'PATCH',
      `${CORE}/machinedeployments/quickstart-md-0`,
      { spec: { template: { spec: machine } } },
      'application/merge-patch+json',
    );

    const sizes = new Set<number>();
    const isNew = ({ metadata, status }: Machine) => metadata.uid !== old?.metadata.uid && status?.phase === 'Running';
    await laptop.until('only the new worker is there, Running', async () => {
      const now = await workers();
      sizes.add(now.length);
      return now.length === 1 && now.every(isNew);
    });
    expect([...sizes].sort()).toEqual([1, 2]);
    await laptop.until('the set of the old template is gone', async () => {
      const sets = await laptop.list<KubeObject>(`${CORE}/machinesets`);
      return sets.length === 1;
    });
  });

  it('refuses a copy of a Cluster, whose deletion leaves the original alone', async () => {
    const {
      metadata: _,
      status: __,
      ...copy
    } = (await laptop.cluster('quickstart')) as KubeObject & { status: object };
    const read = () =>
      Promise.all([
        laptop.get<KubeObject>(`${INFRASTRUCTURE}/awsclusters/quickstart`),
        laptop.get<KubeObject>(`${CONTROL_PLANE}/kubeadmcontrolplanes/quickstart-control-plane`),
      ]);
    const before = await read();
    await laptop.api.send('POST', `${CORE}/clusters`, { ...copy, metadata: { name: 'copy', namespace: 'default' } });
    for (const kind of ['AWSCluster', 'KubeadmControlPlane'])
      await laptop.until(`the ${kind} is refused`, async () => {
        const events = await laptop.list<Event>('/api/v1/namespaces/default/events');
        return events.some(
          ({ reason, message }) => reason === 'ReferenceNotAdopted' && message?.startsWith(`${kind} quickstart`),
        );
      });
    await laptop.api.send('DELETE', `${CORE}/clusters/copy`);
    await laptop.until('the copy is gone', async () => (await laptop.cluster('copy')) === undefined);
    const after = await read();
    const parts = (objects: readonly (KubeObject | undefined)[]) =>
      objects.map((object) => [object?.metadata.labels, object?.metadata.ownerReferences, object?.metadata.finalizers]);
    expect(parts(after)).toEqual(parts(before));
    expect(after.map((object) => object?.metadata.deletionTimestamp)).toEqual([undefined, undefined]);
    expect((await workers()).concat(await controlPlane()).map(({ status }) => status?.phase)).toEqual([
      'Running',
      'Running',
    ]);
  });

  it('runs a machine whose objects a user has created, and leaves nothing of it when all of them are deleted at once', async () => {
    const before = await laptop.instances();
    const [base] = await workers();
    const objects = writtenMachine('own', base?.spec.version ?? '');
    const paths = objects.map(({ kind, path }) => `${path}/${kind.toLowerCase()}s`);
    for (const [index, { path: _, ...object }] of objects.entries())
      await laptop.api.send('POST', paths[index] ?? '', object);
    await laptop.until('the machine is Running', async () => {
      const machine = await laptop.get<Machine>(`${CORE}/machines/own`);
      return machine?.status?.phase === 'Running';
    });
    expect(await laptop.instances()).toHaveLength(before.length + 1);
    await keepsItsObjects(objects);

    await Promise.all(paths.map((path) => laptop.api.send('DELETE', `${path}/own`)));
    await laptop.until('its objects are gone', async () => {
      const left = await Promise.all(paths.map((path) => laptop.get(`${path}/own`)));
      return left.every((object) => object === undefined);
    });
    expect(await laptop.instances()).toEqual(before);
  });
});
