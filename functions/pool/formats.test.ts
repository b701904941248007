import { describe, expect, it } from 'vitest';
import { toSecret } from '../../shared/bootstrap/certificates/secrets.ts';
import { kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { KEY, LABELS, type PoolWishes, type PoolWorld, usePoolWorlds } from './test-world.ts';

const makeWorld = usePoolWorlds();

const DAY = 24 * 3600;

const started = async (wishes: PoolWishes): Promise<PoolWorld> => {
  const world = await makeWorld(wishes);
  expect(await world.begin()).toMatchObject({ proceed: true });
  return world;
};

/** The bootstrap data of instances, and its format. */
const dataOf = async (world: PoolWorld): Promise<{ format: string; text: string }> => {
  const { format = '', value = '' } = (await world.secret())?.data ?? {};
  const decode = (text: string) => Buffer.from(text, 'base64').toString();
  return { format: decode(format), text: decode(value) };
};

describe('a pool of kubeadm whose data is for Ignition', () => {
  const ignitionOf = (infrastructure: object) =>
    started({
      config: {
        kind: 'KubeadmConfig',
        spec: { format: 'ignition', files: [{ path: '/etc/own', content: 'of the user' }] },
      },
      infrastructure,
    });

  it.each([
    ['2.3', {}, '2.3.0'],
    ['3.4', { ignition: { version: '3.4' } }, '3.4.0'],
  ])('gets a config of version %s, as its AWSMachinePool specifies', async (_, infrastructure, version) => {
    const world = await ignitionOf(infrastructure);
    await world.bootstrap();
    const { format, text } = await dataOf(world);
    expect(format).toBe('ignition');
    const config = JSON.parse(text);
    expect(config.ignition.version).toBe(version);
    expect(config.storage.files.map(({ path }: { path: string }) => path)).toContain('/etc/own');
    expect(decodeURIComponent(text)).toContain('kubeadm join');
  });

  it('gets a new token in the next week', async () => {
    const world = await ignitionOf({});
    const first = await world.bootstrap();
    const before = await dataOf(world);
    await world.clock.advance(8 * DAY);
    await world.begin();
    expect(await world.bootstrap()).not.toEqual(first);
    expect(await dataOf(world)).not.toEqual(before);
  });
});

describe('a pool of RKE2', () => {
  const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io';

  const server = (name: string, address: string): KubeObject =>
    ({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name, namespace: 'default', labels: { ...LABELS, 'cluster.x-k8s.io/control-plane': '' } },
      spec: {
        clusterName: 'red',
        version: 'v1.34.2+rke2r1',
        bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'RKE2Config', name } },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name },
      },
      status: { nodeRef: { name }, addresses: [{ type: 'InternalIP', address }] },
    }) as KubeObject;

  const agents = async (registrationMethod: string, servers: readonly KubeObject[] = []): Promise<PoolWorld> => {
    const metadata = { name: 'red', namespace: 'default', labels: LABELS };
    const token = { ...metadata, name: 'red-token' };
    const world = await makeWorld({
      config: { kind: 'RKE2Config', spec: { agentConfig: { nodeLabels: ['pool=red'] } } },
      objects: [
        {
          apiVersion: `${CONTROL_PLANE}/v1beta2`,
          kind: 'RKE2ControlPlane',
          metadata,
          spec: {
            version: 'v1.34.2+rke2r1',
            registrationMethod,
            rolloutStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
            machineTemplate: {
              spec: { infrastructureRef: { apiGroup: 'i', kind: 'AWSMachineTemplate', name: 'red' } },
            },
          },
        } as KubeObject,
        { apiVersion: 'v1', kind: 'Secret', metadata: token, data: { value: btoa('0123456789abcdef') } } as KubeObject,
        toSecret('red', 'default', 'cca', makeWorld.certificates().ca),
        ...servers,
      ],
    });
    await world.objects.mutate(kinds.cluster, { ...KEY, name: 'red' }, (cluster) => ({
      ...cluster,
      spec: {
        ...cluster.spec,
        controlPlaneRef: { apiGroup: CONTROL_PLANE, kind: 'RKE2ControlPlane', name: 'red' },
      },
    }));
    expect(await world.begin()).toMatchObject({ proceed: true });
    return world;
  };

  it('joins as agents with the cluster’s own token, which does not change', async () => {
    const world = await agents('control-plane-endpoint');
    const first = await world.bootstrap();
    const before = await dataOf(world);
    expect(before.format).toBe('cloud-config');
    expect(before.text).toContain('server: https://api.example.com:9345');
    expect(before.text).toContain('pool=red');
    expect(before.text).toMatch(/token: K10[0-9a-f]{64}::node:/);
    await world.clock.advance(30 * DAY);
    await world.begin();
    expect(await world.bootstrap()).toEqual(first);
    expect(await dataOf(world)).toEqual(before);
  });

  it('gets new data if the server with which new instances register is replaced', async () => {
    const world = await agents('internal-first', [server('first', '10.0.0.10'), server('second', '10.0.0.20')]);
    const first = await world.bootstrap();
    expect((await dataOf(world)).text).toContain('server: https://10.0.0.10:9345');

    await world.objects.delete(kinds.machine, { namespace: 'default', name: 'second' });
    await world.begin();
    expect(await world.bootstrap()).toEqual(first);

    await world.put(server('third', '10.0.0.30'));
    await world.objects.delete(kinds.machine, { namespace: 'default', name: 'first' });
    await world.begin();
    expect(await world.bootstrap()).not.toEqual(first);
    expect((await dataOf(world)).text).toContain('server: https://10.0.0.30:9345');
  });

  it('gets new data if the node of the server with which new instances register is no longer ready', async () => {
    const [first, second] = [server('first', '10.0.0.10'), server('second', '10.0.0.20')];
    const world = await agents('internal-first', [first, second]);
    const setReady = async (name: string, status: 'True' | 'Unknown'): Promise<void> => {
      const lastTransitionTime = '2026-01-01T00:00:00Z';
      const condition = { type: 'NodeReady', status, reason: 'Test', message: '', lastTransitionTime };
      await world.objects.mutate(kinds.machine, { namespace: 'default', name }, (machine) => ({
        ...machine,
        status: { ...machine.status, conditions: [condition] },
      }));
    };
    const serverOf = async () => {
      await world.begin();
      await world.bootstrap();
      return /server: https:\/\/(.*):9345/.exec((await dataOf(world)).text)?.[1];
    };
    await setReady('first', 'True');
    await setReady('second', 'True');
    expect(await serverOf()).toBe('10.0.0.10');
    await setReady('first', 'Unknown');
    expect(await serverOf()).toBe('10.0.0.20');
    await setReady('second', 'Unknown');
    expect(await serverOf()).toBe('10.0.0.10');
  });

  it('waits for a server if its instances register with one', async () => {
    const world = await agents('internal-only-ips');
    await expect(world.bootstrap()).rejects.toThrow('that its instances need in order to join, does not exist yet');
    await world.put(server('first', '10.0.0.10'));
    await world.bootstrap();
    expect((await dataOf(world)).text).toContain('server: https://10.0.0.10:9345');
  });
});
