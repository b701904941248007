import { describe, expect, it } from 'vitest';
import { testCertificates } from '../../shared/bootstrap/certificates/fixtures.ts';
import { type AWSMachine, kinds, type Machine } from '../../shared/kinds/index.ts';
import { findMadeElsewhere } from '../providers/aws/instance/find-made-elsewhere.ts';
import { makeMachines } from './test-machines.ts';

const certificates = await testCertificates();

const key = (name: string) => ({ namespace: 'default', name });
type World = Awaited<ReturnType<typeof makeMachines>>;

const dataOf = async ({ objects }: World, name: string): Promise<string> => {
  const secret = await objects.get(kinds.secret, key(name));
  return Buffer.from(secret?.data?.value ?? '', 'base64').toString();
};

/** A control plane machine as restored from a file: with an instance, but without a status. */
const addMoved = async ({ objects, put }: World): Promise<void> => {
  const machine = (await objects.get(kinds.machine, key('cp-1'))) as Machine;
  const { uid: _uid, resourceVersion: _version, ...metadata } = machine.metadata;
  const providerID = 'aws:///us-east-1a/i-0123456789abcdef0';
  const references = {
    bootstrap: { configRef: { ...machine.spec.bootstrap.configRef, name: 'cp-0' } },
    infrastructureRef: { ...machine.spec.infrastructureRef, name: 'cp-0' },
  };
  await put({
    ...machine,
    metadata: { ...metadata, name: 'cp-0' },
    spec: { ...machine.spec, ...references, providerID },
  } as Machine);
};

describe('a cluster that was initialized elsewhere', () => {
  it('is joined by a new control plane machine even before a pass has observed that it is initialized', async () => {
    const world = await makeMachines({ certificates });
    await addMoved(world);
    await world.provision('cp-1');

    expect(await dataOf(world, 'cp-1')).toContain('kubeadm join');
  });

  it('is joined even if the machine with the init lock no longer exists', async () => {
    const world = await makeMachines({ certificates });
    const data = { 'lock-information': '{"machineName":"gone"}' };
    const lock = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key('red-lock'), data };
    await world.as('clusterctl').ensure(kinds.configMap, lock);
    await world.provision('cp-1');

    expect(await dataOf(world, 'cp-1')).toContain('kubeadm join');
  });

  it('gets no new key material in place of Secrets that were not moved', async () => {
    const world = await makeMachines({ certificates });
    await addMoved(world);
    await world.objects.delete(kinds.secret, key('red-ca'));
    const { ready } = await world.steps.cluster.certificates(world.clusterInput, world.context);

    expect(ready).toBe(false);
    expect(await world.objects.get(kinds.secret, key('red-ca'))).toBeUndefined();
    const owner = await world.objects.get(kinds.kubeadmControlPlane, key('red'));
    const condition = owner?.status?.conditions?.find(({ type }) => type === 'CertificatesAvailable');
    expect(condition?.message).toContain('Secret red-ca does not exist');
  });
});

describe('a machine that was restored from a backup before it was launched', () => {
  it.each([
    {
      what: 'is created again, because its token was that of the former uid',
      owners: ['KubeadmConfig'],
      isKept: false,
    },
    { what: 'stays if a user has written it', owners: [], isKept: true },
  ])('has a Secret with bootstrap data that $what', async ({ owners, isKept }) => {
    const world = await makeMachines({ certificates });
    const apiVersion = 'bootstrap.cluster.x-k8s.io/v1beta2';
    const ownerReferences = owners.map((kind) => ({ apiVersion, kind, name: 'w-1', uid: 'former' }));
    const data = { value: Buffer.from('theirs').toString('base64') };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { ...key('w-1'), ownerReferences }, data };
    await world.put(secret as never);
    await world.provision('w-1');
    expect((await dataOf(world, 'w-1')) === 'theirs').toBe(isKept);
    const uids = isKept ? [] : [(await world.objects.get(kinds.kubeadmConfig, key('w-1')))?.metadata.uid];
    const now = await world.objects.get(kinds.secret, key('w-1'));
    expect((now?.metadata.ownerReferences ?? []).map(({ uid }) => uid)).toEqual(uids);
    expect(world.launched).toHaveLength(1);
  });
});

describe('a machine that was launched elsewhere', () => {
  it('keeps its bootstrap data', async () => {
    const world = await makeMachines({ certificates });
    await world.objects.mutate(kinds.awsMachine, key('w-1'), (current) => ({
      ...current,
      spec: { ...current.spec, instanceID: 'i-0123456789abcdef0' },
    }));
    const config = await world.objects.get(kinds.kubeadmConfig, key('w-1'));
    const owner = { apiVersion: 'v1', kind: 'KubeadmConfig', name: 'w-1', uid: config?.metadata.uid ?? '' };
    const data = { value: Buffer.from('theirs').toString('base64') };
    await world.put({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...key('w-1'), ownerReferences: [owner] },
      data,
    } as never);
    await world.provision('w-1');

    expect(await dataOf(world, 'w-1')).toBe('theirs');
    expect(world.launched).toEqual([]);
    const machine = await world.objects.get(kinds.machine, key('w-1'));
    expect(machine?.spec.bootstrap.dataSecretName).toBe('w-1');
  });
});

describe('the instance of a machine that was moved without its instance id', () => {
  const machine = { metadata: { name: 'w', namespace: 'default' }, spec: { clusterName: 'red' } } as Machine;
  const owned = { Key: 'sigs.k8s.io/cluster-api-provider-aws/cluster/red', Value: 'owned' };
  const named = { Key: 'MachineName', Value: 'default/w' };
  const instance = (InstanceId: string, Name: 'running' | 'shutting-down', ...Tags: object[]) => ({
    InstanceId,
    State: { Name },
    Tags,
  });
  const asked: string[][] = [];
  const ec2 = {
    findByTag: async (...tag: [string, string]) => {
      asked.push(tag);
      const other = { Key: 'windlass.dev/cluster', Value: 'elsewhere/red' };
      return [
        instance('i-1', 'running', owned, named),
        instance('i-2', 'shutting-down', owned, named),
        instance('i-3', 'running', named),
        instance('i-4', 'running', owned, named, other),
        instance('i-5', 'running', owned),
        instance('i-6', 'running', owned, { ...named, Value: 'elsewhere/w' }),
      ];
    },
  } as never;
  const by = (manager: string) => ({ metadata: { name: 'w-abc', managedFields: [{ manager }] } }) as AWSMachine;

  it('is a running instance with the right name and the tags of the cluster', async () => {
    const found = await findMadeElsewhere({ ec2 }, machine, by('clusterctl'));

    expect(found.map(({ InstanceId }) => InstanceId)).toEqual(['i-1']);
    expect(asked).toEqual([['Name', 'w-abc']]);
  });

  it('is not searched for if the machine was created here', async () => {
    expect(await findMadeElsewhere({ ec2 }, machine, by('windlass'))).toEqual([]);
    expect(asked).toHaveLength(1);
  });
});
