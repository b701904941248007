/**
 * Measures rollouts for `npm run bench -- lifecycle`, and prints one JSON object. Time is simulated, so that only
 * Windlass's own work counts: the planners at several sizes, and all passes of a rollout of 500 workers.
 */
import type { MachineDeployment } from '../../../shared/kinds/index.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { planDeployment } from '../../../shared/plan/rollout/plan.ts';
import { planMachineSetScale } from '../../../shared/plan/workers/scale.ts';
import { instanceFacts } from '../../../shared/providers/aws/plan/instance-facts.ts';
import { appliedCluster } from './applied.ts';
import { advance } from './life.ts';
import { DEPLOYMENT, makeWorld, stepsOfPass, type World } from './world.ts';

const SIZES = [50, 500, 5000];
const WORKERS = 500;
const REPEATS = 20;
const ROUND_SECONDS = 30;
const MOST_ROUNDS = 400;

const withWorkers = (applied: readonly KubeObject[], replicas: number): KubeObject[] =>
  applied
    .filter(({ kind }) => kind !== 'MachineHealthCheck')
    .map((object) => {
      if (object.kind !== 'MachineDeployment') return object;
      const deployment = object as MachineDeployment;
      const rollingUpdate = { maxSurge: '10%', maxUnavailable: 0 };
      const rollout = { strategy: { type: 'RollingUpdate' as const, rollingUpdate } };
      return { ...deployment, spec: { ...deployment.spec, replicas, rollout } };
    });

interface Rounds {
  passes: number;
  /** The largest result that is passed from one step to the next. */
  largestPayloadBytes: number;
}

const workersOf = (world: World) =>
  world.objects.all(kinds.machine).filter((machine) => !isControlPlaneMachine(machine));

/** Alternates between passes and machines until `isDone`. */
const run = async (world: World, isDone: () => boolean): Promise<Rounds> => {
  const rounds: Rounds = { passes: 0, largestPayloadBytes: 0 };
  while (!isDone()) {
    if (rounds.passes >= MOST_ROUNDS) throw new Error(`not done after ${MOST_ROUNDS} passes`);
    rounds.passes += 1;
    for (const { act } of await stepsOfPass(world)) {
      const bytes = JSON.stringify(await act()).length;
      rounds.largestPayloadBytes = Math.max(rounds.largestPayloadBytes, bytes);
    }
    const machines = world.objects.all(kinds.machine);
    for (const { metadata } of machines) await advance(world, metadata.name);
    world.now = new Date(world.now.getTime() + ROUND_SECONDS * 1000);
  }
  return rounds;
};

const areAvailable = (world: World, version: string, replicas: number): boolean => {
  const workers = workersOf(world);
  const isReady = workers.every(
    ({ spec, status }) =>
      spec.version === version &&
      status?.conditions?.some(({ type, status: is }) => type === 'Available' && is === 'True'),
  );
  return workers.length === replicas && isReady;
};

const changeVersion = (world: World, version: string): void =>
  world.objects.put<MachineDeployment>(kinds.machineDeployment, DEPLOYMENT, (current) => ({
    ...current,
    spec: {
      ...current.spec,
      template: { ...current.spec.template, spec: { ...current.spec.template.spec, version } },
    },
  }));

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The milliseconds for planning one step of a rollout while all machines are running. */
const planningCost = (world: World): number => {
  const [deployment] = world.objects.all(kinds.machineDeployment);
  if (!deployment) throw new Error('there is no MachineDeployment');
  const [sets, machines] = [world.objects.all(kinds.machineSet), world.objects.all(kinds.machine)];
  const instances = new Map(world.objects.all(kinds.awsMachine).map((one) => [one.metadata.name, instanceFacts(one)]));
  const byOwner = Map.groupBy(machines, ({ metadata }) => metadata.ownerReferences?.[0]?.uid ?? '');
  const machinesOf = (set: KubeObject) => byOwner.get(set.metadata.uid ?? '') ?? [];
  const times = Array.from({ length: REPEATS }, () => {
    const begun = performance.now();
    planDeployment({ deployment, sets, machinesOf, now: world.now });
    for (const set of sets) planMachineSetScale({ set, machines: machinesOf(set), instances, now: world.now });
    return performance.now() - begun;
  });
  return median(times);
};

/** A world in which the workers are in the middle of a rollout. */
const midway = async (applied: readonly KubeObject[], replicas: number): Promise<World> => {
  const world = makeWorld(withWorkers(applied, replicas), 1);
  await run(world, () => areAvailable(world, 'v1.34.0', replicas));
  changeVersion(world, 'v1.34.1');
  let left = 2;
  await run(world, () => {
    left -= 1;
    return left < 0;
  });
  return world;
};

const planners = async (applied: readonly KubeObject[]) => {
  const costs = [];
  for (const machines of SIZES) {
    const milliseconds = planningCost(await midway(applied, machines));
    costs.push({ machines, milliseconds, microsecondsEach: (1000 * milliseconds) / machines });
  }
  return costs;
};

const rollout = async (applied: readonly KubeObject[]) => {
  const world = makeWorld(withWorkers(applied, WORKERS), 1);
  await run(world, () => areAvailable(world, 'v1.34.0', WORKERS));
  changeVersion(world, 'v1.34.1');
  const [begun, from] = [performance.now(), world.now.getTime()];
  const rounds = await run(world, () => areAvailable(world, 'v1.34.1', WORKERS));
  const seconds = (performance.now() - begun) / 1000;
  return { workers: WORKERS, ...rounds, simulatedMinutes: (world.now.getTime() - from) / 60_000, seconds };
};

const applied = await appliedCluster();
process.stdout.write(`${JSON.stringify({ planners: await planners(applied), rollout: await rollout(applied) })}\n`);
