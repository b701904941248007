import { type AWSMachine, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { type Change, isChecked, isSpared, isWorker, live } from './change.ts';
import type { Judge } from './judge.ts';
import { nodeNameOf, setAlive, terminate } from './life.ts';
import type { World } from './world.ts';

/** Terminates the instance of a machine. */
export const lose = (world: World, machine: Machine | undefined, { killed }: Judge): string | undefined => {
  const instance = machine && world.instances.get(machine.metadata.uid ?? '');
  if (!machine || !instance) return undefined;
  killed.add(instance.id);
  terminate(world, machine);
  world.workload.nodes.delete(nodeNameOf(instance.id));
  world.objects.put<AWSMachine>(kinds.awsMachine, machine.metadata.name, (current) => ({
    ...current,
    status: { ...current.status, ready: false, instanceState: 'terminated' } as AWSMachine['status'],
  }));
  return `the instance of machine ${machine.metadata.name} is terminated`;
};

export const fate: Record<string, Change> = {
  workerFails: (world, { one }) => {
    const machine = one(live(world, isWorker));
    if (machine) setAlive(world, machine, false);
    return machine && `worker ${machine.metadata.name} does not answer`;
  },
  controlPlaneMachineFails: (world, { one }) => {
    const machine = one(live(world, isControlPlaneMachine).filter((candidate) => isSpared(world, candidate)));
    if (machine) setAlive(world, machine, false);
    return machine && `control plane machine ${machine.metadata.name} does not answer`;
  },
  workerIsLost: (world, { one }, judge) => lose(world, one(live(world, isWorker)), judge),
  // As in upstream, nothing would replace it without health checks.
  controlPlaneMachineIsLost: (world, { one }, judge) => {
    const spared = live(world, isControlPlaneMachine).filter((machine) => isSpared(world, machine));
    return isChecked(world) ? lose(world, one(spared), judge) : undefined;
  },
  recovery: (world) => {
    for (const machine of live(world, () => true)) setAlive(world, machine, true);
    return 'what did not answer answers again';
  },
  outage: ({ workload }) => {
    workload.outage = !workload.outage;
    return workload.outage ? 'the workload cluster cannot be reached' : 'the workload cluster can be reached again';
  },
};
