import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { readMachine } from '../../../machine/read-machine.ts';
import { readScope } from '../../../providers/aws/infrastructure/scope.ts';
import { useTestDatabase } from '../../test-database.ts';
import {
  applyCluster,
  conditionOf,
  context,
  makeInfrastructureReady,
  makeWorld,
  pass,
  quickstart,
  type World,
} from '../test-world.ts';

const database = useTestDatabase();

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
const ELSEWHERE = 'infrastructure.example.com';
const unserved = (kind: string, group: string) =>
  `kind "${kind}" in group "${group}" is not built in: check its spelling, or that a CustomResourceDefinition with the label cluster.x-k8s.io/v1beta2 or cluster.x-k8s.io/v1beta1 defines it`;

/** References to kinds that are not served, with the names of objects that exist. */
const FOREIGN_CLUSTERS = [
  { apiGroup: INFRASTRUCTURE, kind: 'OpenStackCluster', name: 'quickstart' },
  { apiGroup: ELSEWHERE, kind: 'AWSCluster', name: 'quickstart' },
];
const FOREIGN_TEMPLATES = [
  { apiGroup: INFRASTRUCTURE, kind: 'OpenStackMachineTemplate' },
  { apiGroup: ELSEWHERE, kind: 'AWSMachineTemplate' },
];

describe('a reference to a kind that is not served', () => {
  let w: World;
  let input: ConvergeInput;

  /** Applies the example after a change, and begins the first pass. */
  const start = async (change: (object: KubeObject & { spec: object }) => void) => {
    w = await makeWorld(database());
    const wanted = await quickstart();
    for (const object of wanted) change(object as never);
    ({ input } = await applyCluster(w, wanted));
    return w.steps.begin(input, context);
  };

  const machineObjects = async () => ({
    machines: (await w.objects.list(kinds.machine, 'default')).map(({ metadata }) => metadata.name),
    infrastructure: (await w.objects.list(kinds.awsMachine, 'default')).map(({ metadata }) => metadata.name),
  });

  it.each(FOREIGN_CLUSTERS)(
    'as infrastructure of a Cluster is not taken for the AWSCluster of the same name: $apiGroup $kind',
    async (foreign) => {
      const begun = await start((object) => {
        if (object.kind === 'Cluster') Object.assign(object.spec, { infrastructureRef: foreign });
      });
      expect(begun.mode).toBe('paused');
      await w.steps.report(input, context);

      const [awsCluster] = await w.objects.list(kinds.awsCluster, 'default');
      expect(awsCluster?.metadata.finalizers).toBeUndefined();
      expect(awsCluster?.metadata.ownerReferences).toBeUndefined();
      const stored = await w.objects.get(kinds.cluster, input.cluster);
      expect(conditionOf(stored, 'InfrastructureReady')).toMatchObject({
        status: 'False',
        reason: 'ObjectDoesNotExist',
        message: `${foreign.kind} quickstart does not exist: ${unserved(foreign.kind, foreign.apiGroup)}`,
      });
      const scopeOf = async () => ({ region: 'eu-central-1', identity: { key: '' } }) as never;
      expect(await readScope({ objects: w.objects, scopeOf }, input.cluster)).toBeUndefined();
    },
  );

  it('as control plane of a Cluster is reported, and no control plane is adopted', async () => {
    const foreign = {
      apiGroup: 'controlplane.cluster.x-k8s.io',
      kind: 'TalosControlPlane',
      name: 'quickstart-control-plane',
    };
    await start((object) => {
      if (object.kind === 'Cluster') Object.assign(object.spec, { controlPlaneRef: foreign });
    });
    await makeInfrastructureReady(w.objects);
    await pass(w, input);

    const [controlPlane] = await w.objects.list(kinds.kubeadmControlPlane, 'default');
    expect(controlPlane?.metadata.ownerReferences).toBeUndefined();
    const stored = await w.objects.get(kinds.cluster, input.cluster);
    expect(conditionOf(stored, 'ControlPlaneAvailable')).toMatchObject({
      status: 'False',
      message: `TalosControlPlane ${foreign.name} does not exist: ${unserved(foreign.kind, foreign.apiGroup)}`,
    });
  });

  it.each(FOREIGN_TEMPLATES)('as machine template of workers creates no machine: $apiGroup $kind', async (foreign) => {
    await start((object) => {
      if (object.kind !== 'MachineDeployment') return;
      const { template } = object.spec as { template: { spec: { infrastructureRef: object } } };
      Object.assign(template.spec.infrastructureRef, foreign);
    });
    await makeInfrastructureReady(w.objects);
    await pass(w, input);
    await pass(w, input);

    const { machines, infrastructure } = await machineObjects();
    expect([machines.length, infrastructure.length]).toEqual([3, 3]);
    const [deployment] = await w.objects.listOfCluster(kinds.machineDeployment, 'default', 'quickstart');
    expect(conditionOf(deployment, 'ScalingUp')?.message).toContain(
      `${foreign.kind} default/quickstart-md-0 does not exist: ${unserved(foreign.kind, foreign.apiGroup)}`,
    );
    const [template] = (await w.objects.list(kinds.awsMachineTemplate, 'default')).filter(
      ({ metadata }) => metadata.name === 'quickstart-md-0',
    );
    expect(template?.metadata.ownerReferences).toBeUndefined();
  });

  it('as bootstrap template of workers creates no machine', async () => {
    const foreign = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'TalosConfigTemplate' };
    await start((object) => {
      if (object.kind !== 'MachineDeployment') return;
      const { template } = object.spec as { template: { spec: { bootstrap: { configRef: object } } } };
      Object.assign(template.spec.bootstrap.configRef, foreign);
    });
    await makeInfrastructureReady(w.objects);
    await pass(w, input);
    await pass(w, input);

    expect((await machineObjects()).machines).toHaveLength(3);
    const [deployment] = await w.objects.listOfCluster(kinds.machineDeployment, 'default', 'quickstart');
    expect(conditionOf(deployment, 'ScalingUp')?.message).toContain(
      `TalosConfigTemplate default/quickstart-md-0 does not exist: ${unserved(foreign.kind, foreign.apiGroup)}`,
    );
  });

  it.each(FOREIGN_TEMPLATES)(
    'as machine template of a control plane creates no machine: $apiGroup $kind',
    async (foreign) => {
      await start((object) => {
        if (object.kind !== 'KubeadmControlPlane') return;
        const { machineTemplate } = object.spec as { machineTemplate: { spec: { infrastructureRef: object } } };
        Object.assign(machineTemplate.spec.infrastructureRef, foreign);
      });
      await makeInfrastructureReady(w.objects);
      await pass(w, input);

      const { machines, infrastructure } = await machineObjects();
      expect([machines.length, infrastructure.length]).toEqual([3, 3]);
      const [controlPlane] = await w.objects.list(kinds.kubeadmControlPlane, 'default');
      expect(conditionOf(controlPlane as never, 'ScalingUp')?.message).toContain(`${foreign.kind} `);
      expect(conditionOf(controlPlane as never, 'ScalingUp')?.message).toContain(
        unserved(foreign.kind, foreign.apiGroup),
      );
    },
  );

  describe('as infrastructure of a machine', () => {
    const foreign = { apiGroup: INFRASTRUCTURE, kind: 'OpenStackMachine' };
    let machine: Machine;

    beforeEach(async () => {
      await start(() => {});
      await makeInfrastructureReady(w.objects);
      await pass(w, input);
      const [found] = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
      machine = found as Machine;
      await w.objects.mutate(kinds.machine, { namespace: 'default', name: machine.metadata.name }, (current) => ({
        ...current,
        spec: { ...current.spec, infrastructureRef: { ...current.spec.infrastructureRef, ...foreign } },
      }));
    });

    const refOf = () => ({
      namespace: 'default',
      name: machine.metadata.name,
      uid: machine.metadata.uid ?? '',
      clusterName: 'quickstart',
      clusterUid: input.cluster.uid,
    });

    it('is not taken for the AWSMachine of the same name', async () => {
      expect(await readMachine(w.objects, refOf())).toMatchObject({ infrastructureMachine: null });
    });

    it('is reported in the condition of the machine', async () => {
      await w.steps.report(input, context);
      const stored = await w.objects.get(kinds.machine, refOf());
      expect(conditionOf(stored, 'InfrastructureReady')?.message).toBe(
        `OpenStackMachine ${machine.metadata.name} does not exist: ${unserved(foreign.kind, foreign.apiGroup)}`,
      );
    });
  });
});
