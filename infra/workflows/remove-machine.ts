/**
 * One machine, from its deletion to nothing.
 *
 * Lifecycle: `beginRemove` takes the machine's lease; `drainNode` waits for hooks, drains the node and waits for its
 * volumes; a control plane machine leaves etcd and the cluster's endpoint; the instance is terminated and observed
 * until it is gone; the node object is deleted from the workload cluster; `finishRemove` deletes what is left, removes
 * the finalizer and touches the cluster.
 *
 * Idempotency: every step accepts that its work is already done: a target that is not registered, an instance that is
 * terminated or was never created, a node that does not exist.
 *
 * Gotchas: an execution does not wait for what users block (a hook, a budget that forbids an eviction for hours): it
 * ends and releases the machine's lease, and the cluster's next pass, or the one that a change of the Machine starts,
 * begins a new one. `terminateInstance` both requests and observes: its first call terminates, later calls observe.
 * It never fails by itself, as `finishRemove` removes the finalizers.
 */
import { Duration } from 'aws-cdk-lib';
import { Choice, Condition, type StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Settings } from '../constructs/settings.ts';
import { PROGRESS, poll } from '../constructs/workflow/poll.ts';
import { type Workers, workflow } from '../constructs/workflow/workflow.ts';
import { machineTasks } from './machine-tasks.ts';

/** The state machine `remove-machine`; its input is a MachineInput. */
export const removeMachine = (
  stack: Construct,
  options: Workers & { name: string; settings: Settings },
): StateMachine => {
  const scope = new Construct(stack, 'RemoveMachine');
  const { task, ofProvider, begin, end } = machineTasks(scope, options, 'beginRemove');
  const drain = task('drainNode', PROGRESS);
  const leaveEtcd = task('leaveEtcd', PROGRESS);
  const detach = ofProvider('detachEndpoint');
  const terminate = ofProvider('terminateInstance', PROGRESS);
  const deleteNode = task('deleteNode');
  const finish = task('finishRemove');

  // It never fails by itself: an instance whose etcd member still counts must not be terminated.
  poll(scope, { name: 'leaveEtcd', task: leaveEtcd, done: detach, failed: end });
  detach.next(terminate);
  poll(scope, { name: 'terminateInstance', task: terminate, done: deleteNode, failed: end });
  deleteNode.next(finish).next(end);
  const removal = new Choice(scope, 'control plane?')
    .when(Condition.booleanEquals('$.begin.controlPlane', true), leaveEtcd)
    .otherwise(terminate);
  poll(scope, { name: 'drainNode', task: drain, done: removal, failed: end });
  const start = begin.next(
    new Choice(scope, 'proceed?').when(Condition.booleanEquals('$.begin.proceed', true), drain).otherwise(end),
  );
  return workflow(scope, {
    id: 'Machine',
    name: options.name,
    start,
    timeout: Duration.hours(6),
    settings: options.settings,
  });
};
