/** Changes by users to fields and annotations that only some clusters have. */
import {
  type KubeadmControlPlane,
  kinds,
  type Machine,
  type MachineDeployment,
  type MachineHealthCheck,
  type MachineSet,
} from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { ANNOTATION, isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import {
  type Change,
  controlPlaneOf,
  type Dice,
  deploymentOf,
  isChecked,
  isSpared,
  isWorker,
  live,
  onControlPlane,
  onDeployment,
  toggled,
} from './change.ts';
import { CONTROL_PLANE, type World } from './world.ts';

const annotate = (world: World, machine: Machine | undefined, annotation: string): string | undefined => {
  if (!machine) return undefined;
  const { name } = machine.metadata;
  world.objects.put<Machine>(kinds.machine, name, (current) => toggled(current, annotation));
  return `machine ${name} gets or loses ${annotation}`;
};

/** Another existing template for the same kind of machines as `current`. */
const earlierTemplate = (world: World, current: string, { one }: Dice): string | undefined => {
  const base = current.replace(/-v\d+$/, '');
  const names = world.objects.all(kinds.awsMachineTemplate).map(({ metadata }) => metadata.name);
  return one(names.filter((name) => name !== current && name.replace(/-v\d+$/, '') === base));
};

const TIMEOUTS = [undefined, 60, 600];
const TIERS = ['gold', 'silver'];

export const furtherUsers: Record<string, Change> = {
  revertWorkers: (world, dice) => {
    const { infrastructureRef } = deploymentOf(world)?.spec.template.spec ?? {};
    const name = infrastructureRef && earlierTemplate(world, infrastructureRef.name, dice);
    if (!name) return undefined;
    onDeployment(world, ({ template }) => ({
      template: { ...template, spec: { ...template.spec, infrastructureRef: { ...infrastructureRef, name } } },
    }));
    return `the workers get template ${name} again`;
  },
  revertControlPlane: (world, dice) => {
    const { infrastructureRef } = controlPlaneOf(world).spec.machineTemplate.spec;
    const name = earlierTemplate(world, infrastructureRef.name, dice);
    if (!name) return undefined;
    onControlPlane(world, ({ machineTemplate }) => ({
      machineTemplate: {
        ...machineTemplate,
        spec: { ...machineTemplate.spec, infrastructureRef: { ...infrastructureRef, name } },
      },
    }));
    return `the control plane gets template ${name} again`;
  },
  replaceOnDelete: (world) => {
    onDeployment(world, () => ({ rollout: { strategy: { type: 'OnDelete' } } }));
    return 'workers are replaced when someone deletes them';
  },
  changeDeletionOrder: (world, { one }) => {
    const order = one(['Random', 'Newest', 'Oldest'] as const);
    onDeployment(world, () => ({ deletion: { order } }));
    return `workers are deleted in the order ${order}`;
  },
  scaleSet: (world, { one, roll }) => {
    const set = one(world.objects.all(kinds.machineSet));
    if (!set) return undefined;
    const replicas = roll(6);
    world.objects.put<MachineSet>(kinds.machineSet, set.metadata.name, (current) => ({
      ...current,
      spec: { ...current.spec, replicas },
    }));
    return `someone scales set ${set.metadata.name} to ${replicas}`;
  },
  delayAvailability: (world, { one }) => {
    const minReadySeconds = one([0, 30, 300]);
    onDeployment(world, ({ template }) => ({
      template: { ...template, spec: { ...template.spec, minReadySeconds } },
    }));
    return `workers are available after ${minReadySeconds} seconds`;
  },
  relabelWorkers: (world, { one }) => {
    const [tier, nodeDrainTimeoutSeconds] = [one(TIERS) ?? '', one(TIMEOUTS)];
    onDeployment(world, ({ template: { metadata, spec } }) => ({
      template: {
        metadata: { ...metadata, labels: { ...metadata?.labels, tier } },
        spec: { ...spec, deletion: { nodeDrainTimeoutSeconds } },
      },
    }));
    return `workers are ${tier} and drain for ${nodeDrainTimeoutSeconds} seconds`;
  },
  relabelControlPlane: (world, { one }) => {
    const [tier, nodeDrainTimeoutSeconds] = [one(TIERS) ?? '', one(TIMEOUTS)];
    onControlPlane(world, ({ machineTemplate: { metadata, spec } }) => ({
      machineTemplate: {
        metadata: { ...metadata, labels: { ...metadata?.labels, tier } },
        spec: { ...spec, deletion: { nodeDrainTimeoutSeconds } },
      },
    }));
    return `control plane machines are ${tier} and drain for ${nodeDrainTimeoutSeconds} seconds`;
  },
  holdControlPlane: (world) => {
    world.objects.put<KubeadmControlPlane>(kinds.kubeadmControlPlane, CONTROL_PLANE, (current) =>
      toggled(current, ANNOTATION.paused),
    );
    return 'the control plane is paused, or goes on';
  },
  holdDeployment: (world) => {
    world.objects.put<MachineDeployment>(kinds.machineDeployment, world.deployment, (current) =>
      toggled(current, ANNOTATION.paused),
    );
    return 'the deployment is paused, or goes on';
  },
  remediateWorker: (world, { one }) =>
    isChecked(world) ? annotate(world, one(live(world, isWorker)), ANNOTATION.remediateMachine) : undefined,
  remediateControlPlaneMachine: (world, { one }) => {
    const spared = live(world, isControlPlaneMachine).filter((machine) => isSpared(world, machine));
    return isChecked(world) ? annotate(world, one(spared), ANNOTATION.remediateMachine) : undefined;
  },
  skipRemediation: (world, { one }) => annotate(world, one(live(world, () => true)), ANNOTATION.skipRemediation),
  limitRemediation: (world, { one }) => {
    const maxInFlight = one([1, '50%']);
    onDeployment(world, () => ({ remediation: { maxInFlight } }));
    return `of the workers, ${maxInFlight} may be remediated at once`;
  },
  limitUnhealthy: (world, { one }) => {
    const check = one(world.objects.all(kinds.machineHealthCheck));
    if (!check) return undefined;
    const unhealthyLessThanOrEqualTo = one([0, 1, '40%']);
    world.objects.put<MachineHealthCheck>(kinds.machineHealthCheck, check.metadata.name, (current) => ({
      ...current,
      spec: { ...current.spec, remediation: { triggerIf: { unhealthyLessThanOrEqualTo } } },
    }));
    return `${check.metadata.name} acts up to ${unhealthyLessThanOrEqualTo} unhealthy machines`;
  },
  limitRetries: (world, { one, roll }) => {
    const remediation = { maxRetry: 1 + roll(2), retryPeriodSeconds: one([0, 120]), minHealthyPeriodSeconds: 600 };
    onControlPlane(world, () => ({ remediation }));
    return `a control plane machine is replaced ${remediation.maxRetry} times more`;
  },
};

const without = <T extends KubeObject>({ metadata, ...rest }: T, annotation: string): T => {
  const { [annotation]: present, ...annotations } = metadata.annotations ?? {};
  return { ...rest, metadata: present === undefined ? metadata : { ...metadata, annotations } } as T;
};

/** Undoes changes that prevent the desired state. */
export const withdraw = (world: World): void => {
  const { objects } = world;
  for (const { metadata } of objects.all(kinds.machine)) {
    objects.put<Machine>(kinds.machine, metadata.name, (current) =>
      without(without(current, ANNOTATION.skipRemediation), ANNOTATION.paused),
    );
  }
  // As in upstream, the only machine of a control plane is never remediated, and its condition says so.
  if (controlPlaneOf(world).spec.replicas === 1) {
    for (const { metadata } of live(world, isControlPlaneMachine)) {
      objects.put<Machine>(kinds.machine, metadata.name, (current) => without(current, ANNOTATION.remediateMachine));
    }
  }
  for (const { metadata } of objects.all(kinds.machineHealthCheck)) {
    objects.put<MachineHealthCheck>(kinds.machineHealthCheck, metadata.name, (current) => {
      const { remediation: _, ...spec } = current.spec;
      return { ...current, spec };
    });
  }
  objects.put<KubeadmControlPlane>(kinds.kubeadmControlPlane, CONTROL_PLANE, (current) => {
    const { remediation: _, ...spec } = current.spec;
    return { ...without(current, ANNOTATION.paused), spec } as KubeadmControlPlane;
  });
  for (const { metadata } of objects.all(kinds.machineDeployment)) {
    objects.put<MachineDeployment>(kinds.machineDeployment, metadata.name, (current) => {
      const { rollout } = current.spec;
      const isOnDelete = rollout?.strategy?.type === 'OnDelete';
      const strategy = { type: 'RollingUpdate' as const, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
      const spec = isOnDelete ? { ...current.spec, rollout: { ...rollout, strategy } } : current.spec;
      return { ...without(current, ANNOTATION.paused), spec };
    });
  }
};
