import { type KubeadmControlPlane, kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import { makeJudge } from './judge.ts';
import { advance, nodeNameOf, setAlive, terminate } from './life.ts';
import { CONTROL_PLANE, makeWorld, stepsOfPass, type World } from './world.ts';

/** A change by a user, or a disturbance, in a settled control plane. */
export interface Happening {
  says: string;
  do: (world: World) => void;
}

export interface Story {
  title: string;
  replicas: number;
  healthChecks?: true;
  happenings: readonly Happening[];
}

type Spec = KubeadmControlPlane['spec'];

const change = (says: string, to: (spec: Spec) => Partial<Spec>): Happening => ({
  says,
  do: ({ objects }) =>
    objects.put<KubeadmControlPlane>(kinds.kubeadmControlPlane, CONTROL_PLANE, (current) => ({
      ...current,
      spec: { ...current.spec, ...to(current.spec) } as Spec,
    })),
});

const scale = (replicas: number) => change(`spec.replicas: ${replicas}`, () => ({ replicas }));
const upgrade = (version: string) => change(`spec.version: ${version}`, () => ({ version }));
const surge = (maxSurge: number) =>
  change(`maxSurge: ${maxSurge}`, () => ({
    rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge } } },
  }));

const oldest = ({ objects }: World): Machine => objects.all(kinds.machine).filter(isControlPlaneMachine)[0] as Machine;

const onOldest = (says: string, act: (world: World, machine: Machine) => void): Happening => ({
  says,
  do: (world) => act(world, oldest(world)),
});

const deleted = onOldest('the first machine is deleted by hand', ({ objects }, { metadata }) =>
  objects.remove(kinds.machine, metadata.name),
);
const silent = onOldest('the first machine does not answer any more', (world, machine) =>
  setAlive(world, machine, false),
);
const recovered = onOldest('it answers again', (world, machine) => setAlive(world, machine, true));
const lost = onOldest('the instance of the first machine is terminated', (world, machine) => {
  terminate(world, machine);
  world.workload.nodes.delete(nodeNameOf(world.instances.get(machine.metadata.uid ?? '')?.id ?? ''));
});
const newest = ({ objects }: World): Machine =>
  objects.all(kinds.machine).filter(isControlPlaneMachine).at(-1) as Machine;
const withoutNode: Happening = {
  says: 'the node of the last machine is deleted, and spec.replicas: 1',
  do: (world) => {
    world.workload.nodes.delete(newest(world).status?.nodeRef?.name ?? '');
    scale(1).do(world);
  },
};
const outage: Happening = {
  says: 'the workload cluster cannot be reached',
  do: ({ workload }) => {
    workload.outage = true;
  },
};
const reachable: Happening = {
  says: 'it can be reached again',
  do: ({ workload }) => {
    workload.outage = false;
  },
};

export const STORIES: readonly Story[] = [
  { title: 'grows from one to seven', replicas: 1, happenings: [scale(3), scale(5), scale(7)] },
  { title: 'shrinks from seven to one', replicas: 7, happenings: [scale(5), scale(3), scale(1)] },
  { title: 'is upgraded by a minor', replicas: 3, happenings: [upgrade('v1.35.0')] },
  { title: 'is upgraded with a surge of 0', replicas: 3, happenings: [surge(0), upgrade('v1.35.0')] },
  { title: 'of one machine is upgraded', replicas: 1, happenings: [upgrade('v1.34.2')] },
  { title: 'is scaled while it is upgraded', replicas: 3, happenings: [upgrade('v1.35.0'), scale(5)] },
  { title: 'replaces a machine that was deleted by hand', replicas: 3, happenings: [deleted] },
  { title: 'waits for a machine that does not answer', replicas: 3, happenings: [silent, scale(5), recovered] },
  { title: 'is not scaled down to a machine without a node', replicas: 3, happenings: [withoutNode] },
  { title: 'has a dead machine replaced by its health check', replicas: 3, healthChecks: true, happenings: [lost] },
  { title: 'has a silent machine replaced by its health check', replicas: 3, healthChecks: true, happenings: [silent] },
  {
    title: 'does nothing while it cannot be reached',
    replicas: 3,
    happenings: [outage, upgrade('v1.35.0'), reachable],
  },
];

const ROUND_SECONDS = 30;
/** With health checks, the world must be quiet for longer than their timeouts. */
const QUIET_ROUNDS = { without: 3, with: 12 };
const MOST_ROUNDS = 400;

const versionsOf = ({ objects }: World): string =>
  [kinds.machine, kinds.kubeadmControlPlane]
    .flatMap((kind) => objects.all(kind as typeof kinds.machine).map(({ metadata }) => metadata.resourceVersion))
    .join();

const whyItWaits = ({ objects }: World): string | undefined => {
  const [owner] = objects.all(kinds.kubeadmControlPlane) as KubeadmControlPlane[];
  const { conditions } = owner?.status ?? {};
  const texts = ['RollingOut', 'ScalingUp', 'ScalingDown', 'Remediating'].flatMap((type) => {
    const found = findCondition(conditions, type);
    return found?.status === 'True' ? [`${type}: ${found.message.replaceAll('\n', ' ')}`] : [];
  });
  return texts.length > 0 ? texts.join(' / ') : undefined;
};

const objectsOf = (applied: readonly KubeObject[], { healthChecks, replicas }: Story): KubeObject[] =>
  applied
    .filter(({ kind }) => healthChecks || kind !== 'MachineHealthCheck')
    .filter(({ kind }) => kind !== 'MachineDeployment')
    .map((object) => {
      if (object.kind !== 'KubeadmControlPlane') return object;
      const { spec } = object as KubeadmControlPlane;
      return { ...object, spec: { ...spec, replicas } } as KubeObject;
    });

/** Short names for machines, in order of creation. */
const makeLabels = ({ objects }: World) => {
  const labels = new Map<string, string>();
  const labelOf = ({ metadata }: Machine): string => {
    const label = labels.get(metadata.uid ?? '') ?? `m${labels.size + 1}`;
    labels.set(metadata.uid ?? '', label);
    return label;
  };
  const withLabels = (text: string): string =>
    objects
      .all(kinds.machine)
      .reduce((so, machine) => so.replaceAll(machine.metadata.name, labelOf(machine)), text)
      .replaceAll(/node-i-0+/g, 'node ');
  return { labelOf, withLabels };
};

/** Runs a world until it settles, and judges each step. Throws an Error with the violations. */
const makeNarrator = (world: World, { title, healthChecks }: Story) => {
  const judge = makeJudge(world);
  const lines: string[] = [];
  const { labelOf, withLabels } = makeLabels(world);
  const judged = async (step: string, act: () => Promise<unknown>): Promise<void> => {
    judge.before();
    await act();
    const broken = judge.after(step);
    if (broken.length > 0) throw new Error(`${title}, ${lines.at(-1)}: ${broken.join('; ')}`);
  };
  const live = async (machine: Machine): Promise<void> => {
    const said = await advance(world, machine.metadata.name);
    const { failureDomain, version } = machine.spec;
    if (said) lines.push(`  ${labelOf(machine)} (${failureDomain}, ${version}) ${said}`);
  };
  const round = async (): Promise<boolean> => {
    const before = versionsOf(world);
    for (const { name, act } of await stepsOfPass(world)) await judged(name, act);
    for (const machine of world.objects.all(kinds.machine)) await judged('life', () => live(machine));
    world.now = new Date(world.now.getTime() + ROUND_SECONDS * 1000);
    return versionsOf(world) !== before;
  };
  const rest = async (): Promise<void> => {
    const quietRounds = healthChecks ? QUIET_ROUNDS.with : QUIET_ROUNDS.without;
    let quiet = 0;
    for (let rounds = 0; quiet < quietRounds; rounds += 1) {
      if (rounds >= MOST_ROUNDS) throw new Error(`${title}: does not come to rest`);
      quiet = (await round()) ? 0 : quiet + 1;
    }
    const why = whyItWaits(world);
    if (why) lines.push(`  still ${withLabels(why)}`);
  };
  return { judge, lines, rest };
};

/**
 * The transcript of a scenario: the change, its effects line by line, and the reason why nothing more happens. Throws
 * an Error with the violations.
 */
export const tell = async (applied: readonly KubeObject[], story: Story): Promise<string> => {
  const world = makeWorld(objectsOf(applied, story), 1);
  const { judge, lines, rest } = makeNarrator(world, story);
  lines.push(`a control plane of ${story.replicas}`);
  await rest();
  for (const happening of story.happenings) {
    lines.push(`> ${happening.says}`);
    const running = [...world.instances.values()].filter(({ state }) => state === 'running');
    happening.do(world);
    for (const { id, state } of running) if (state === 'terminated') judge.killed.add(id);
    await rest();
  }
  return `A control plane ${story.title}\n\n${lines.join('\n')}\n`;
};
