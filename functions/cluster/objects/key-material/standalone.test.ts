import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generatePair } from '../../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../../shared/bootstrap/certificates/keys.ts';
import { toSecret } from '../../../../shared/bootstrap/certificates/secrets.ts';
import {
  type Cluster,
  type KubeadmConfig,
  type KubeadmControlPlane,
  kinds,
  type Machine,
  type Secret,
} from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { systemRandom } from '../../../../shared/random.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { takesInit } from '../../../machine/objects/init-lock.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, conditionOf, context, makeWorld, pass, quickstart, type World } from '../test-world.ts';

const database = useTestDatabase();

const PURPOSES = ['ca', 'etcd', 'proxy', 'sa'];
const key = (name: string) => ({ namespace: 'default', name });
const MACHINE = key('cp-0');

const metadata = { ...MACHINE, labels: { 'cluster.x-k8s.io/cluster-name': 'quickstart' } };

const machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { ...metadata, labels: { ...metadata.labels, 'cluster.x-k8s.io/control-plane': '' } },
  spec: {
    clusterName: 'quickstart',
    version: 'v1.34.0',
    bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'cp-0' } },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'cp-0' },
  },
} as Machine;

const config = {
  apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
  kind: 'KubeadmConfig',
  metadata,
  spec: { clusterConfiguration: { encryptionAlgorithm: 'ECDSA-P256', caCertificateValidityPeriodDays: 100 } },
} as KubeadmConfig;

const awsMachine = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSMachine',
  metadata,
  spec: { instanceType: 't3.large' },
} as KubeObject;

/** The example without its control plane and its workers. */
const standalone = async (): Promise<KubeObject[]> =>
  (await quickstart()).flatMap((object) => {
    if (object.kind === 'AWSCluster') return [object];
    if (object.kind !== 'Cluster') return [];
    const { controlPlaneRef: _, ...spec } = (object as Cluster).spec;
    return [{ ...object, spec } as KubeObject];
  });

describe('a control plane Machine of a Cluster without a control plane object', () => {
  let w: World;
  let input: ConvergeInput;

  const secret = (purpose: string) => w.objects.get<Secret>(kinds.secret, key(`quickstart-${purpose}`));
  const cluster = () => w.objects.get(kinds.cluster, key('quickstart'));
  const ownersOf = (object: KubeObject | undefined) =>
    object?.metadata.ownerReferences?.map(({ kind, name, controller }) => [kind, name, controller === true]);
  const change = (edit: (machine: Machine) => Machine) => w.objects.mutate(kinds.machine, MACHINE, edit);
  const join = () =>
    change((now) => ({
      ...now,
      spec: { ...now.spec, providerID: 'aws:///us-east-1a/i-1' },
      status: { ...now.status, nodeRef: { name: 'node' } } as typeof now.status,
    }));

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w, await standalone());
    await w.apply(machine);
  });

  it('gets key material and a kubeconfig as soon as its configuration exists', async () => {
    await pass(w, input);
    expect(await secret('ca')).toBeUndefined();
    await w.apply(config);
    await w.apply(awsMachine);
    await pass(w, input);

    const owners = [
      ['Cluster', 'quickstart', false],
      ['KubeadmConfig', 'cp-0', true],
    ];
    expect((await Promise.all(PURPOSES.map(secret))).map(ownersOf)).toEqual(PURPOSES.map(() => owners));
    expect(ownersOf(await secret('kubeconfig'))).toEqual([['Cluster', 'quickstart', false]]);
    const before = await Promise.all([...PURPOSES, 'kubeconfig'].map(secret));
    await pass(w, input);
    expect(await Promise.all([...PURPOSES, 'kubeconfig'].map(secret))).toEqual(before);
  });

  it('is launched with the keys that the user provides', async () => {
    const sources = { clock: w.clock, keys: webCryptoKeys, random: systemRandom };
    const pair = await generatePair('ca', { algorithm: 'ECDSA-P256', days: 100, ...sources });
    const provided = (await w.apply(toSecret('quickstart', 'default', 'ca', pair))) as Secret;
    await w.apply(config);
    await w.apply(awsMachine);
    expect(await w.steps.certificates(input, context)).toMatchObject({ ready: true });
    await pass(w, input);

    expect(await secret('ca')).toEqual(provided);
    expect(w.started.provision.map(({ name }) => name)).toEqual(['cp-0']);
    const { value = '' } = (await secret('kubeconfig'))?.data ?? {};
    const kubeconfig = parse(Buffer.from(value, 'base64').toString());
    expect(kubeconfig.clusters[0].cluster['certificate-authority-data']).toBe(provided.data?.['tls.crt']);
  });

  it('is not launched while the keys that the user provides are invalid', async () => {
    const provided = { apiVersion: 'v1', kind: 'Secret', metadata: key('quickstart-ca'), data: { 'tls.crt': '' } };
    await w.apply(provided as KubeObject);
    await w.apply(config);

    expect(await w.steps.certificates(input, context)).toMatchObject({ ready: false });
    const found = await w.objects.get(kinds.kubeadmConfig, MACHINE);
    expect(conditionOf(found as never, 'CertificatesAvailable')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('quickstart-ca'),
    });
  });

  it('gets no new keys if it has an instance', async () => {
    await w.apply(config);
    await change((now) => ({ ...now, spec: { ...now.spec, providerID: 'aws:///us-east-1a/i-1' } }));

    expect(await w.steps.certificates(input, context)).toMatchObject({ ready: true });
    expect(await secret('ca')).toBeUndefined();
  });

  it('initializes the control plane, and no machine initializes it again once the node has joined', async () => {
    await w.apply(config);
    await pass(w, input);
    const now = (await cluster()) as Cluster;
    const ref = { ...MACHINE, uid: '', clusterName: 'quickstart', clusterUid: now.metadata.uid ?? '' };
    expect(await takesInit(w.objects, now, ref)).toBe(true);
    expect(conditionOf(now as never, 'ControlPlaneInitialized')?.status).toBe('False');
    await join();
    await pass(w, input);

    const after = (await cluster()) as Cluster;
    expect(conditionOf(after as never, 'ControlPlaneInitialized')?.status).toBe('True');
    expect(conditionOf(after as never, 'ControlPlaneAvailable')).toMatchObject({ reason: 'ObjectDoesNotExist' });
    expect(await takesInit(w.objects, after, ref)).toBe(false);
  });

  it('initializes the control plane again after it was re-created only if no other machine can have joined it', async () => {
    await w.apply(config);
    await pass(w, input);
    const now = (await cluster()) as Cluster;
    const first = (await w.objects.get(kinds.machine, MACHINE)) as Machine;
    const refOf = (uid: string | undefined) => ({
      ...{ ...MACHINE, uid: uid ?? '', clusterName: 'quickstart', clusterUid: now.metadata.uid ?? '' },
    });
    expect(await takesInit(w.objects, now, refOf(first.metadata.uid))).toBe(true);
    const other = { ...machine, metadata: { ...machine.metadata, name: 'cp-1' } } as Machine;
    await w.apply({ ...other, spec: { ...other.spec, providerID: 'aws:///us-east-1a/i-2' } } as Machine);
    await change(({ metadata: { finalizers: _, ...meta }, ...rest }) => ({ ...rest, metadata: meta }));
    await w.objects.delete(kinds.machine, first);
    const { uid } = (await w.apply(machine)).metadata;
    expect(uid).not.toBe(first.metadata.uid);
    expect(await takesInit(w.objects, now, refOf(uid))).toBe(false);

    await w.objects.mutate(kinds.machine, key('cp-1'), ({ metadata: { finalizers: _, ...meta }, ...rest }) => ({
      ...rest,
      metadata: meta,
    }));
    await w.objects.delete(kinds.machine, key('cp-1'));
    expect(await takesInit(w.objects, now, refOf(uid))).toBe(true);
    expect(await takesInit(w.objects, now, refOf(first.metadata.uid))).toBe(false);
  });

  it('is adopted with its Secrets when the Cluster refers to a KubeadmControlPlane later', async () => {
    await w.apply(config);
    await w.apply(awsMachine);
    await pass(w, input);
    await join();
    await pass(w, input);
    const [controlPlane, template] = ['KubeadmControlPlane', 'AWSMachineTemplate'].map((kind) => kind);
    const objects = (await quickstart()).filter(({ kind }) => kind === controlPlane || kind === template);
    for (const object of objects) {
      const { spec } = object as KubeadmControlPlane;
      await w.apply(
        object.kind === controlPlane ? ({ ...object, spec: { ...spec, replicas: 1 } } as KubeObject) : object,
      );
    }
    const [full] = (await quickstart()).filter(({ kind }) => kind === 'Cluster') as Cluster[];
    await w.objects.mutate(kinds.cluster, key('quickstart'), (current) => ({
      ...current,
      spec: { ...current.spec, controlPlaneRef: full?.spec.controlPlaneRef } as Cluster['spec'],
    }));
    await w.steps.begin(input, context);
    await pass(w, input);
    await pass(w, input);

    const owner = ['KubeadmControlPlane', 'quickstart-control-plane', true];
    const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    expect(machines.map(({ metadata: { name } }) => name)).toEqual(['cp-0']);
    expect(ownersOf(machines[0])).toContainEqual(owner);
    for (const purpose of [...PURPOSES, 'kubeconfig'])
      expect(ownersOf(await secret(purpose))).toEqual([['Cluster', 'quickstart', false], owner]);
  });
});
