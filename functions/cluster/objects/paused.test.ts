import { beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { withDataSecret } from '../../../shared/plan/machines/bootstrap-status.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { useTestDatabase } from '../test-database.ts';
import { beginCluster, conditionOf, context, makeWorld, pass, type World } from './test-world.ts';

const database = useTestDatabase();

/** Conditions of the AWS kinds may have no message. */
type Reporting = Parameters<typeof conditionOf>[0];

const PAUSED = 'cluster.x-k8s.io/paused';
const OWNER = { namespace: 'default', name: 'quickstart-control-plane' };

describe('the annotation that pauses an object', () => {
  let w: World;
  let input: ConvergeInput;

  const annotate = <T extends KubeObject>(resource: ResourceDefinition<T>, name: string, isPaused: boolean) =>
    w.objects.mutate(resource, { namespace: 'default', name }, ({ metadata, ...rest }) => {
      const { [PAUSED]: _, ...others } = metadata.annotations ?? {};
      return { ...rest, metadata: { ...metadata, annotations: isPaused ? { ...others, [PAUSED]: '' } : others } } as T;
    });
  const machines = () => w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
  const controlPlaneMachines = async () =>
    (await machines()).filter(({ metadata }) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}));
  const scaleControlPlane = (replicas: number) =>
    w.objects.mutate(kinds.kubeadmControlPlane, OWNER, ({ spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, replicas },
    }));
  const started = async (): Promise<string[]> => {
    w.started.provision.length = 0;
    w.started.remove.length = 0;
    await w.steps.launch(input, context);
    return [...w.started.provision, ...w.started.remove].map(({ name }) => name);
  };

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
  });

  it('keeps a control plane from creating machines until it is removed', async () => {
    await annotate(kinds.kubeadmControlPlane, OWNER.name, true);
    await pass(w, input);

    expect(await controlPlaneMachines()).toEqual([]);
    expect((await machines()).length).toBeGreaterThan(0);
    const owner = await w.objects.get(kinds.kubeadmControlPlane, OWNER);
    expect(conditionOf(owner, 'Paused')).toMatchObject({
      status: 'True',
      message: `KubeadmControlPlane has the ${PAUSED} annotation`,
    });

    await annotate(kinds.kubeadmControlPlane, OWNER.name, false);
    await pass(w, input);
    expect(await controlPlaneMachines()).toHaveLength(3);
    expect(conditionOf(await w.objects.get(kinds.kubeadmControlPlane, OWNER), 'Paused')?.status).toBe('False');
  });

  it('keeps a control plane from deleting machines, and from changing them in place', async () => {
    await pass(w, input);
    await annotate(kinds.kubeadmControlPlane, OWNER.name, true);
    await scaleControlPlane(1);
    const before = await controlPlaneMachines();
    await w.objects.mutate(kinds.kubeadmControlPlane, OWNER, ({ spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, machineTemplate: { ...spec.machineTemplate, metadata: { labels: { tier: 'gold' } } } },
    }));
    await w.steps.controlPlane(input, context);

    expect((await controlPlaneMachines()).map(({ metadata }) => metadata.resourceVersion)).toEqual(
      before.map(({ metadata }) => metadata.resourceVersion),
    );
  });

  it.each([
    { on: 'a machine', resource: kinds.machine, kind: 'Machine' },
    { on: 'the infrastructure of a machine', resource: kinds.awsMachine, kind: 'AWSMachine' },
  ])('prevents the launch and the removal of a machine if it is on $on', async ({ resource, kind }) => {
    await pass(w, input);
    const [first, ...others] = (await machines()) as [Machine, ...Machine[]];
    const { name } = first.metadata;
    await annotate(resource as typeof kinds.machine, name, true);
    expect((await started()).sort()).toEqual(others.map(({ metadata }) => metadata.name).sort());
    await w.objects.delete(kinds.machine, first);
    expect(await started()).not.toContain(name);

    await w.steps.report(input, context);
    const held = await w.objects.get(kinds.machine, { namespace: 'default', name });
    expect(conditionOf(held, 'Paused')).toMatchObject({
      status: 'True',
      message: `${kind} has the ${PAUSED} annotation`,
    });

    await annotate(resource as typeof kinds.machine, name, false);
    expect(await started()).toContain(name);
  });

  it('on a deleted machine does not keep the cluster busy', async () => {
    await pass(w, input);
    const all = await machines();
    for (const { metadata } of all) {
      await annotate(kinds.machine, metadata.name, true);
      await w.objects.delete(kinds.machine, { namespace: 'default', name: metadata.name });
    }
    const { waitSeconds } = await w.steps.finish(input, context);
    expect(waitSeconds).toBe(1);
  });

  it('is shown in the status of all objects if the whole cluster is paused', async () => {
    await pass(w, input);
    for (const { metadata } of await w.objects.list(kinds.kubeadmConfig, 'default')) {
      await w.objects.mutate(kinds.kubeadmConfig, { namespace: 'default', name: metadata.name }, (config) =>
        withDataSecret(config, metadata.name, w.clock.now()),
      );
    }
    await w.objects.mutate(kinds.cluster, input.cluster, (cluster: Cluster) => ({
      ...cluster,
      spec: { ...cluster.spec, paused: true },
    }));
    await w.steps.report(input, context);

    const objects = [
      ...(await machines()),
      await w.objects.get(kinds.cluster, input.cluster),
      await w.objects.get(kinds.kubeadmControlPlane, OWNER),
      ...(await w.objects.list(kinds.machineDeployment, 'default')),
      ...(await w.objects.list(kinds.machineSet, 'default')),
      ...(await w.objects.list(kinds.kubeadmConfig, 'default')),
      ...(await w.objects.list(kinds.awsCluster, 'default')),
      ...(await w.objects.list(kinds.awsMachine, 'default')),
    ];
    expect(objects.filter((object) => object?.kind === 'AWSMachine').length).toBeGreaterThan(0);
    for (const object of objects) {
      expect(conditionOf(object as Reporting, 'Paused'), object?.kind).toMatchObject({
        status: 'True',
        message: 'Cluster spec.paused is set to true',
      });
    }
    const versions = async () => (await machines()).map(({ metadata }) => metadata.resourceVersion);
    const before = await versions();
    await w.steps.report(input, context);
    expect(await versions()).toEqual(before);

    await w.objects.mutate(kinds.cluster, input.cluster, (cluster: Cluster) => ({
      ...cluster,
      spec: { ...cluster.spec, paused: false },
    }));
    await w.steps.report(input, context);
    const [awsCluster] = await w.objects.list(kinds.awsCluster, 'default');
    expect(conditionOf(awsCluster as Reporting, 'Paused')).toMatchObject({ status: 'False', reason: 'NotPaused' });
  });
});
