/**
 * One MachinePool, from its objects to a group of instances with their Machines; or from its deletion to nothing.
 *
 * Lifecycle: `beginPool` takes the pool's lease; its bootstrap data is created; the provider creates or updates the
 * pool's group and observes it; Machines follow the instances; while the group is still changing, all of this is
 * repeated after a wait; `finishPool` records the result and touches the cluster. A pool that is deleted loses its
 * group first and its objects then.
 *
 * Idempotency: every step derives its work from the objects and from what exists. The result is recorded by a digest of
 * the desired state when the check began, so that a change in between starts another execution.
 *
 * Gotchas: the Machines of a pool have their own executions, which observe nodes and drain. The waits grow with the
 * time since `beginPool`, and the provider gives up after an hour; later changes start a new execution.
 */
import { Duration } from 'aws-cdk-lib';
import { Choice, Condition, type StateMachine, Succeed, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Settings } from '../constructs/settings.ts';
import { PROGRESS, poll } from '../constructs/workflow/poll.ts';
import { taskMaker, type Workers, workflow } from '../constructs/workflow/workflow.ts';

const SINCE = { 'since.$': '$.begin.since' };

/** The state machine `converge-pool`; its input is a PoolInput. */
export const convergePool = (
  stack: Construct,
  options: Workers & { name: string; settings: Settings },
): StateMachine => {
  const scope = new Construct(stack, 'ConvergePool');
  const { functions, providers } = options;
  const { core, provided } = taskMaker(scope, { family: 'pool', functions, providers, input: ['pool', 'holder'] });
  const end = new Succeed(scope, 'end');
  const fail = core('fail', { extra: { 'failure.$': '$.failure' } });
  fail.next(end);

  const begin = core('beginPool', {
    keep: { at: '$.begin', fields: ['proceed', 'removal', 'infrastructure', 'since'] },
    catchTo: fail,
  });
  const bootstrap = core('poolBootstrap', { keep: { at: '$.bootstrap', fields: ['digest'] }, catchTo: fail });
  const reconcile = provided('reconcilePool', { keep: PROGRESS, extra: SINCE, catchTo: fail });
  const machines = core('poolMachines', { catchTo: fail });
  const finish = core('finishPool', {
    extra: { ...SINCE, 'digest.$': '$.bootstrap.digest', 'outcome.$': '$.progress.progress' },
    catchTo: fail,
  });
  finish.next(end);
  const wait = new Wait(scope, 'wait for reconcilePool', { time: WaitTime.secondsPath('$.progress.waitSeconds') });
  wait.next(bootstrap);
  bootstrap.next(reconcile).next(machines);
  machines.next(
    new Choice(scope, 'reconcilePool done?')
      .when(Condition.stringEquals('$.progress.progress', 'wait'), wait)
      .otherwise(finish),
  );

  const remove = provided('removePool', { keep: PROGRESS, extra: SINCE, catchTo: fail });
  const removed = core('finishPoolRemoval', { extra: { 'outcome.$': '$.progress.progress' }, catchTo: fail });
  removed.next(end);
  poll(scope, { name: 'removePool', task: remove, done: removed, failed: removed });
  const start = begin.next(
    new Choice(scope, 'proceed?')
      .when(Condition.booleanEquals('$.begin.proceed', false), end)
      .when(Condition.booleanEquals('$.begin.removal', true), remove)
      .otherwise(bootstrap),
  );
  return workflow(scope, {
    id: 'Pool',
    name: options.name,
    start,
    timeout: Duration.hours(6),
    settings: options.settings,
  });
};
