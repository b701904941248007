import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AWSCluster,
  type AWSMachine,
  type Cluster,
  KINDS,
  kinds,
  type Machine,
} from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { silentLog } from '../../../shared/log.ts';
import { withRecordedLaunch } from '../../../shared/providers/aws/plan/launch/recorded.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createMemoryRecords } from '../../../shared/store/records/memory-records.ts';
import { withMemory } from '../../../shared/store/records/remembering-client.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import { HELD_KINDS } from '../../cluster/abandoned/kinds.ts';
import { releaseAbandonedObjects } from './release-abandoned.ts';

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
const key = (name: string) => ({ namespace: 'default', name });
const ofCluster = { 'cluster.x-k8s.io/cluster-name': 'red' };

describe('objects in deletion', () => {
  let clock: ReturnType<typeof testClock>;
  let objects: ObjectClient;
  let user: ObjectClient;
  beforeEach(async () => {
    clock = testClock('2030-01-01T00:00:00Z');
    const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
    await ensureNamespaces(registry);
    objects = withMemory(createObjectClient(registry), createMemoryRecords());
    user = createObjectClient(registry, 'kubectl');
    await user.ensure(kinds.cluster, {
      ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: key('red') },
      spec: { infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSCluster', name: 'original' } },
    } as Cluster);
  });

  const release = (): Promise<number> =>
    releaseAbandonedObjects({ objects, clock, log: silentLog, sweepMinutes: 5 }, ['default']);

  const heldOf = (resource: ResourceDefinition): string =>
    HELD_KINDS.find((one) => one.resource.kind === resource.kind)?.finalizer ?? 'none';

  /** An object in deletion with the finalizer of its kind, as a copy of an object has it. */
  const deleted = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    name: string,
    given: { spec?: object; metadata?: object } = {},
  ): Promise<() => Promise<boolean>> => {
    const { group, version, kind } = resource;
    const finalizers = [heldOf(resource as never)];
    const metadata = { ...key(name), labels: ofCluster, finalizers, ...given.metadata };
    await user.ensure(resource, { apiVersion: `${group}/${version}`, kind, metadata, spec: given.spec ?? {} } as never);
    await user.delete(resource, key(name));
    return async () => (await user.get(resource, key(name))) !== undefined;
  };
  const awsMachine = (name: string, given: { metadata?: object; spec?: object } = {}) =>
    deleted(kinds.awsMachine, name, { ...given, spec: { instanceType: 't3.large', ...given.spec } });
  const awsCluster = (name: string) => deleted(kinds.awsCluster, name, { spec: { region: 'eu-west-1' } });

  it('are released if they are sets of add-ons that select no cluster', async () => {
    const set = (name: string, labels: object) =>
      deleted(kinds.clusterResourceSet, name, {
        metadata: { labels: {} },
        spec: { clusterSelector: { matchLabels: labels }, resources: [{ kind: 'ConfigMap', name: 'cni' }] },
      });
    await user.mutate(kinds.cluster, key('red'), ({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, labels: { cni: 'x' } },
    }));
    const [copy, used] = [await set('copy', { cni: 'y' }), await set('used', { cni: 'x' })];

    clock.advance(3700);
    expect(await release()).toBe(1);
    expect([await copy(), await used()]).toEqual([false, true]);
  });

  it('are released after an hour if nothing refers to them', async () => {
    const stays = [
      await awsCluster('copy'),
      await awsMachine('copy', { spec: { providerID: 'aws:///eu-west-1a/i-0123456789abcdef0' } }),
      await deleted(kinds.kubeadmControlPlane, 'copy', {
        spec: {
          version: 'v1.35.0',
          kubeadmConfigSpec: { format: 'cloud-config' },
          machineTemplate: {
            spec: { infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachineTemplate', name: 'cp' } },
          },
        },
      }),
      await deleted(kinds.awsMachinePool, 'copy', {
        spec: { minSize: 1, maxSize: 2, awsLaunchTemplate: { instanceType: 't3.large' } },
      }),
      await deleted(kinds.hostCluster, 'copy'),
    ];
    const left = () => Promise.all(stays.map((stay) => stay()));
    expect(await release()).toBe(0);
    expect(await left()).toEqual([true, true, true, true, true]);

    clock.advance(2 * 3600);

    expect(await release()).toBe(5);
    expect(await left()).toEqual([false, false, false, false, false]);
    expect(await release()).toBe(0);
  });

  it('stay while a Cluster or a Machine refers to them', async () => {
    const isThere = await awsCluster('original');
    const isMachineThere = await awsMachine('used');
    await user.ensure(kinds.machine, {
      ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata: key('worker') },
      spec: {
        clusterName: 'red',
        bootstrap: { dataSecretName: 'none' },
        infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachine', name: 'used' },
      },
    } as Machine);
    clock.advance(2 * 3600);

    expect(await release()).toBe(0);
    expect(await isThere()).toBe(true);
    expect(await isMachineThere()).toBe(true);
  });

  it('stay if a record says that resources were created for them, or if they are paused', async () => {
    await awsMachine('launched');
    await objects.mutate(kinds.awsMachine, key('launched'), (current: AWSMachine) =>
      withRecordedLaunch(current, { at: '2030-01-01T00:00:00Z' }),
    );
    await awsMachine('paused', { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
    clock.advance(2 * 3600);

    expect(await release()).toBe(0);
    expect(await user.list(kinds.awsMachine, 'default')).toHaveLength(2);
  });

  it('stay if nothing else refers to the resources of a removed Cluster', async () => {
    const metadata = { labels: { 'cluster.x-k8s.io/cluster-name': 'gone' } };
    const region = 'eu-west-1';
    const launchTemplate = { instanceType: 't3.large' };
    const pool = { minSize: 1, maxSize: 2, awsLaunchTemplate: launchTemplate };
    const areThere = [
      await awsMachine('moved', { metadata, spec: { providerID: 'aws:///eu-west-1a/i-0123456789abcdef0' } }),
      await deleted(kinds.awsCluster, 'moved', { metadata, spec: { region, network: { vpc: { id: 'vpc-1' } } } }),
      await deleted(kinds.awsMachinePool, 'moved', { metadata, spec: { ...pool, providerID: 'arn:group' } }),
    ];
    const isCopyThere = await deleted(kinds.awsCluster, 'copy', { metadata, spec: { region } });
    clock.advance(2 * 3600);

    expect(await release()).toBe(1);
    expect(await Promise.all(areThere.map((isThere) => isThere()))).toEqual([true, true, true]);
    expect(await isCopyThere()).toBe(false);
  });

  it('keep finalizers that others set', async () => {
    const held = heldOf(kinds.awsCluster as never);
    await deleted(kinds.awsCluster, 'copy', {
      spec: { region: 'eu-west-1' },
      metadata: { finalizers: [held, 'example.com/backup'] },
    });
    clock.advance(2 * 3600);

    expect(await release()).toBe(1);
    const left: AWSCluster | undefined = await user.get(kinds.awsCluster, key('copy'));
    expect(left?.metadata.finalizers).toEqual(['example.com/backup']);
  });

  it('are searched once an hour', async () => {
    const isThere = await awsCluster('copy');
    clock.advance(2 * 3600 + 5 * 60);

    expect(await release()).toBe(0);
    expect(await isThere()).toBe(true);
  });
});
