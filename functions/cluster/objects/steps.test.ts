import { beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachineTemplate, type Cluster, KINDS, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { useTestDatabase } from '../test-database.ts';
import {
  applyCluster,
  conditionOf,
  context,
  ENDPOINT,
  makeInfrastructureReady,
  makeWorld,
  pass,
  type World,
} from './test-world.ts';

const database = useTestDatabase();

describe('a pass over a new cluster', () => {
  let w: World;
  let cluster: Cluster;
  let input: ConvergeInput;

  beforeEach(async () => {
    w = await makeWorld(database());
    ({ cluster, input } = await applyCluster(w));
  });

  it('creates certificates, the kubeconfig and all machines in one pass, and starts each machine', async () => {
    expect(await w.steps.begin(input, context)).toMatchObject({ mode: 'normal' });
    await makeInfrastructureReady(w.objects);
    await pass(w, input);

    const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    const secrets = await w.objects.listOfCluster(kinds.secret, 'default', 'quickstart');
    expect(machines).toHaveLength(6);
    expect(w.started.provision.map(({ name }) => name).sort()).toEqual(
      machines.map(({ metadata }) => metadata.name).sort(),
    );
    expect(secrets.map(({ metadata }) => metadata.name).sort()).toEqual(
      ['ca', 'etcd', 'kubeconfig', 'proxy', 'sa'].map((purpose) => `quickstart-${purpose}`),
    );
    expect(await w.objects.listOfCluster(kinds.kubeadmConfig, 'default', 'quickstart')).toHaveLength(6);
    expect(await w.objects.listOfCluster(kinds.awsMachine, 'default', 'quickstart')).toHaveLength(6);
    const stored = await w.objects.get(kinds.cluster, input.cluster);
    expect(stored?.spec.controlPlaneEndpoint).toEqual(ENDPOINT);
    expect(stored?.status?.phase).toBe('Provisioned');
    expect(stored?.status?.controlPlane).toMatchObject({ desiredReplicas: 3, replicas: 3, readyReplicas: 0 });
    expect(conditionOf(stored, 'Available')?.status).toBe('False');
  });

  it("gates the readiness of control plane machines on upstream's conditions, and makes the Cluster an owner but not the controller", async () => {
    await w.steps.begin(input, context);
    await makeInfrastructureReady(w.objects);
    await pass(w, input);
    const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    const gates = machines.flatMap(({ spec }) => spec.readinessGates?.map(({ conditionType }) => conditionType) ?? []);
    expect([...new Set(gates)]).toEqual([
      'NodeKubeadmLabelsAndTaintsSet',
      'APIServerPodHealthy',
      'ControllerManagerPodHealthy',
      'SchedulerPodHealthy',
      'EtcdPodHealthy',
      'EtcdMemberHealthy',
    ]);
    const { apiVersion, kind, metadata } = cluster;
    const key = { namespace: 'default', name: 'quickstart' };
    for (const owned of [
      await w.objects.get(kinds.awsCluster, key),
      await w.objects.list(kinds.kubeadmControlPlane),
    ].flat())
      expect(owned?.metadata.ownerReferences).toEqual([{ apiVersion, kind, name: metadata.name, uid: metadata.uid }]);
  });

  it('changes nothing the second time', async () => {
    await w.steps.begin(input, context);
    await makeInfrastructureReady(w.objects);
    await pass(w, input);
    await pass(w, input);
    const versions = async () =>
      (await Promise.all(KINDS.map((kind) => w.objects.list(kind))))
        .flat()
        .map(({ kind, metadata }) => `${kind}/${metadata.name}@${metadata.resourceVersion}`);
    const before = await versions();
    w.clock.advance(60);
    await pass(w, input);

    expect(await versions()).toEqual(before);
  });

  it('does not run beside another pass, or for a Cluster that no longer exists, whose work item it removes', async () => {
    expect(await w.steps.begin(input, context)).toMatchObject({ mode: 'normal' });
    expect(await w.steps.begin({ ...input, holder: 'another' }, context)).toMatchObject({ mode: 'busy' });
    const earlier = { ...input.cluster, uid: 'earlier' };
    await w.work.touch(earlier);
    expect(await w.work.get(earlier)).toBeDefined();
    expect(await w.steps.begin({ ...input, cluster: earlier }, context)).toMatchObject({
      mode: 'gone',
    });
    expect(await w.work.get(earlier)).toBeUndefined();
  });

  it('reports a missing template on the object that needs it, and continues once the template exists', async () => {
    const template = (await w.objects.get(kinds.awsMachineTemplate, {
      namespace: 'default',
      name: 'quickstart-md-0',
    })) as AWSMachineTemplate;
    await w.objects.delete(kinds.awsMachineTemplate, { namespace: 'default', name: 'quickstart-md-0' });
    await w.steps.begin(input, context);
    await makeInfrastructureReady(w.objects);
    await pass(w, input);

    const [deployment] = await w.objects.listOfCluster(kinds.machineDeployment, 'default', 'quickstart');
    expect(conditionOf(deployment, 'ScalingUp')?.message).toContain(
      'AWSMachineTemplate default/quickstart-md-0 does not exist',
    );
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.filter(({ reason }) => reason === 'CloneTemplateFailed')).toHaveLength(1);

    const { uid: _uid, resourceVersion: _version, ...metadata } = template.metadata;
    await w.apply({ ...template, metadata } as KubeObject);
    await pass(w, input);
    expect(await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart')).toHaveLength(6);
  });

  it('reports that the infrastructure object does not exist, and waits longer each time', async () => {
    await w.objects.delete(kinds.awsCluster, { namespace: 'default', name: 'quickstart' });
    const waits: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect(await w.steps.begin(input, context)).toMatchObject({ mode: 'paused' });
      await w.steps.report(input, context);
      waits.push((await w.steps.finish(input, context)).waitSeconds);
    }
    const stored = await w.objects.get(kinds.cluster, input.cluster);
    expect(conditionOf(stored, 'InfrastructureReady')).toMatchObject({
      status: 'False',
      message: 'AWSCluster quickstart does not exist',
    });
    expect(waits).toEqual([1, 2, 4, 8]);
  });

  it('reconciles machines anyway once its infrastructure has not been ready for five minutes', async () => {
    await w.steps.begin(input, context);
    await makeInfrastructureReady(w.objects);
    await pass(w, input);
    const notReady = { type: 'Ready', status: 'False', reason: 'SubnetsNotReady', message: 'no address is left' };
    await w.objects.mutate(kinds.awsCluster, { namespace: 'default', name: 'quickstart' }, (current) => {
      const conditions = [{ ...notReady, lastTransitionTime: w.clock.now().toISOString() }] as never;
      return { ...current, status: { ...current.status, conditions } };
    });
    const modes: string[] = [];
    const waits: number[] = [];
    for (const seconds of [0, 290, 10]) {
      w.clock.advance(seconds);
      modes.push((await w.steps.begin(input, context)).mode);
      waits.push((await w.steps.concludeWhileUnready(input, context)).waitSeconds);
    }
    expect(modes).toEqual(['normal', 'normal', 'unready']);
    expect(waits).toEqual([30, 10, 120]);
  });

  it('requests another pass if the cluster was touched meanwhile', async () => {
    await w.work.touch(input.cluster);
    await w.work.touch(input.cluster);
    const { wanted: seen } = await w.steps.begin(input, context);
    expect(seen).toBe(2);
    await makeInfrastructureReady(w.objects);
    expect(await pass(w, { ...input, seen })).toMatchObject({ again: false });

    await w.steps.begin(input, context);
    await w.work.touch(input.cluster);
    expect(await pass(w, { ...input, seen })).toMatchObject({ again: true, waitSeconds: 0 });
    // It is a new touch: an execution for the third one may have ended already, because this pass was running.
    expect((await w.work.get(input.cluster))?.wanted).toBe(4);
  });

  it('names invalid key material that the user provides, without its contents', async () => {
    await w.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'quickstart-ca', namespace: 'default' },
      data: {
        'tls.crt': Buffer.from('nonsense').toString('base64'),
        'tls.key': Buffer.from('nonsense').toString('base64'),
      },
    } as KubeObject);
    expect(await w.steps.certificates(input, context)).toEqual({ ready: false, changes: false });

    const owner = await w.objects.get(kinds.kubeadmControlPlane, {
      namespace: 'default',
      name: 'quickstart-control-plane',
    });
    expect(conditionOf(owner, 'CertificatesAvailable')).toMatchObject({ status: 'False' });
    expect(conditionOf(owner, 'CertificatesAvailable')?.message).toContain('quickstart-ca');
    expect(JSON.stringify(owner)).not.toContain('nonsense');
  });

  it("deletes the cluster's workers first, then the control plane, then the infrastructure", async () => {
    await w.steps.begin(input, context);
    await makeInfrastructureReady(w.objects);
    await pass(w, input);
    await w.objects.delete(kinds.cluster, input.cluster);
    const order: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const { done } = await w.steps.teardown(input, context);
      const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
      const going = machines.filter(({ metadata }) => metadata.deletionTimestamp);
      order.push(`${machines.length} machines, ${going.length} going, done ${done}`);
      await Promise.all(
        going.map(async ({ metadata }) => {
          await w.objects.mutate(kinds.awsMachine, { namespace: 'default', name: metadata.name }, (m) => ({
            ...m,
            metadata: { ...m.metadata, finalizers: [] },
          }));
          await w.objects.delete(kinds.awsMachine, { namespace: 'default', name: metadata.name });
          await w.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, (m) => ({
            ...m,
            metadata: { ...m.metadata, finalizers: [] },
          }));
        }),
      );
      if (done) break;
    }
    expect(order).toEqual([
      '6 machines, 3 going, done false',
      '3 machines, 3 going, done false',
      '0 machines, 0 going, done true',
    ]);
    const awsCluster = await w.objects.get(kinds.awsCluster, { namespace: 'default', name: 'quickstart' });
    expect(awsCluster?.metadata.deletionTimestamp).toBeDefined();

    await w.objects.mutate(kinds.awsCluster, { namespace: 'default', name: 'quickstart' }, (a) => ({
      ...a,
      metadata: { ...a.metadata, finalizers: [] },
    }));
    await w.steps.report(input, context);
    const left = (await Promise.all(KINDS.map((kind) => w.objects.list(kind)))).flat();
    expect(left.filter(({ kind }) => kind !== 'Namespace' && kind !== 'Event')).toEqual([]);
  });
});
