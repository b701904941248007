/** Failures of etcd, kubelets and nodes, other than the loss of machines. */
import { EtcdError } from '../../../infra/local/machines/workload-cluster/etcd.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { type Change, controlPlaneOf, type Dice, isChecked, isSpared, live } from './change.ts';
import { lose } from './fate.ts';
import { becomeLearner, nodeNameOf } from './life.ts';
import type { World } from './world.ts';

/** A machine whose instance is joining the control plane, and has become a learner in etcd. */
const newLearner = (world: World, { one }: Dice): Machine | undefined => {
  if (!controlPlaneOf(world).status?.initialization?.controlPlaneInitialized) return undefined;
  const joining = live(world, isControlPlaneMachine).filter(({ metadata, status }) => {
    const instance = world.instances.get(metadata.uid ?? '');
    return instance?.state === 'running' && !status?.nodeRef && !world.workload.nodes.has(nodeNameOf(instance.id));
  });
  const machine = one(joining);
  try {
    return machine && becomeLearner(world, machine) ? machine : undefined;
  } catch (error) {
    if (error instanceof EtcdError) return undefined;
    throw error;
  }
};

export const accidents: Record<string, Change> = {
  memberIsFull: ({ workload: { etcd } }, { one }) => {
    const member = one(etcd?.members() ?? []);
    if (!member) return undefined;
    etcd?.setFull(member.name, !member.isFull);
    return `member ${member.name} ${member.isFull ? 'has' : 'no longer has'} the alarm NOSPACE`;
  },
  joinPauses: (world, dice) => {
    const machine = newLearner(world, dice);
    return machine && `machine ${machine.metadata.name} is a learner`;
  },
  joinFails: (world, dice, judge) => {
    const machine = isChecked(world) ? newLearner(world, dice) : undefined;
    return machine && `${lose(world, machine, judge)} as a learner`;
  },
  // The etcd member of the machine continues to run, if it has one.
  kubeletFails: (world, { one }) => {
    const machine = one(
      live(world, (candidate) => !isControlPlaneMachine(candidate) || isSpared(world, candidate)).filter(
        ({ status }) => status?.nodeRef,
      ),
    );
    const node = world.workload.nodes.get(machine?.status?.nodeRef?.name ?? '');
    if (!machine || !node?.alive) return undefined;
    world.workload.nodes.set(node.name, { ...node, alive: false, since: world.now });
    return `the kubelet of machine ${machine.metadata.name} does not answer`;
  },
  // The kubelet does not register the node again, and without health checks nothing would replace the machine.
  nodeIsDeleted: (world, { one }) => {
    const candidates = isChecked(world)
      ? live(world, (machine) => !isControlPlaneMachine(machine) || isSpared(world, machine))
      : [];
    const machine = one(candidates.filter(({ status }) => status?.nodeRef));
    if (!machine) return undefined;
    world.workload.nodes.delete(machine.status?.nodeRef?.name ?? '');
    return `someone deletes the node of machine ${machine.metadata.name}`;
  },
};
