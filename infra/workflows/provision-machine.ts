/**
 * One machine, from its objects to a ready node.
 *
 * Lifecycle: `beginProvision` takes the machine's lease; its bootstrap data is created; the instance is launched and
 * observed until it runs; a control plane machine is registered with the cluster's endpoint; `confirmNode` checks for
 * the node. If the node is ready at the first check, the execution ends with `finishProvision`. All other machines of a
 * cluster are awaited by one execution: the first one continues with `watchNodes`, which polls for the nodes of all of
 * them, and with `finishWatched` when some are ready; the rest end here.
 *
 * If an external provider creates the infrastructure, `beginProvision` creates the bootstrap data, and the execution
 * continues with `confirmNode`.
 *
 * Idempotency: the launch has a client token derived from the machine's uid and its request is recorded before the
 * call, so that a second run returns the same instance. Attaching an attached machine changes nothing.
 *
 * Gotchas: the deadlines are the functions', not the workflow's: a step that has waited too long answers `failed` and
 * has recorded the reason. Its waits grow, so that a slow machine costs few transitions. The observing steps detect a
 * deletion of the machine and answer `failed` too: `remove-machine` owns it from then on. An execution that watches for
 * the nodes of others does not hold the lease of its own machine. If it dies, the next pass starts one execution for
 * one of the awaited machines.
 */
import { Duration } from 'aws-cdk-lib';
import { Choice, Condition, type IChainable, type StateMachine, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { OUTSIDE } from '../../shared/providers/outside/infrastructure.ts';
import type { Settings } from '../constructs/settings.ts';
import { PROGRESS, poll } from '../constructs/workflow/poll.ts';
import { type Keep, type Workers, workflow } from '../constructs/workflow/workflow.ts';
import { machineTasks } from './machine-tasks.ts';

/** A poll of all awaited nodes. */
const WATCHED: Keep = { ...PROGRESS, fields: ['progress', 'waitSeconds', 'finished', 'anyFinished'] };

/** For external infrastructure, the only task is to find the node. */
const whatToDo = (
  scope: Construct,
  { launch, confirm, end }: Record<'launch' | 'confirm' | 'end', IChainable>,
): Choice =>
  new Choice(scope, 'proceed?')
    .when(Condition.booleanEquals('$.begin.proceed', false), end)
    .when(Condition.stringEquals('$.begin.infrastructure', OUTSIDE), confirm)
    .otherwise(launch);

/** The state machine `provision-machine`; its input is a MachineInput. */
export const provisionMachine = (
  stack: Construct,
  options: Workers & { name: string; settings: Settings },
): StateMachine => {
  const scope = new Construct(stack, 'ProvisionMachine');
  const { core, task, ofProvider, begin, fail, end } = machineTasks(scope, options, 'beginProvision');
  const observe = ofProvider('observeInstance', PROGRESS);
  const attach = ofProvider('attachEndpoint');
  const confirm = task('confirmNode', PROGRESS);
  const watch = task('watchNodes', WATCHED);
  const finishWatched = core('finishWatched', { extra: { 'finished.$': '$.progress.finished' }, catchTo: fail });
  const finish = task('finishProvision');
  const launch = task('bootstrapData').next(ofProvider('launchInstance')).next(observe);

  const running = new Choice(scope, 'control plane?')
    .when(Condition.booleanEquals('$.begin.controlPlane', true), attach)
    .otherwise(confirm);
  attach.next(confirm);
  poll(scope, { name: 'observeInstance', task: observe, done: running, failed: finish });
  const wait = new Wait(scope, 'wait for nodes', { time: WaitTime.secondsPath('$.progress.waitSeconds') });
  const progress = (value: string) => Condition.stringEquals('$.progress.progress', value);
  confirm.next(
    new Choice(scope, 'who watches?').when(progress('watch'), wait).when(progress('joined'), end).otherwise(finish),
  );
  wait.next(watch);
  watch.next(
    new Choice(scope, 'any finished?')
      .when(Condition.booleanEquals('$.progress.anyFinished', true), finishWatched)
      .when(progress('wait'), wait)
      .otherwise(end),
  );
  finishWatched.next(new Choice(scope, 'any awaited?').when(progress('wait'), wait).otherwise(end));
  finish.next(end);
  const start = begin.next(whatToDo(scope, { launch, confirm, end }));
  return workflow(scope, {
    id: 'Machine',
    name: options.name,
    start,
    timeout: Duration.hours(6),
    settings: options.settings,
  });
};
