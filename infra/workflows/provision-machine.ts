/**
 * One machine, from its objects to a ready node.
 *
 * Lifecycle: `beginProvision` takes the machine's lease; user data is written to Secrets Manager; the instance is
 * launched; it is watched until it runs; a control plane machine joins the API load balancer's target group; the node
 * is watched until it is ready; `finishProvision` reports and touches the cluster.
 *
 * Idempotency: the launch carries a client token derived from the machine's uid and its request is frozen before the
 * call, so that a second run returns the same instance. Registering a registered target changes nothing.
 *
 * Gotchas: the deadlines are the functions', not the workflow's: a step that has waited too long answers `failed` and
 * has written the reason. Its waits grow, so that a slow machine costs few transitions. The observing steps see a delete
 * of the machine and answer `failed` too: `remove-machine` owns it from then on.
 */
import { Duration } from 'aws-cdk-lib';
import { Choice, Condition, type StateMachine, Succeed } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { PROGRESS, poll } from '../constructs/poll.ts';
import type { Settings } from '../constructs/settings.ts';
import { type Keep, type StepFunctions, taskMaker, workflow } from '../constructs/workflow.ts';

/** The state machine `provision-machine`; its input is a MachineInput. */
export const provisionMachine = (
  stack: Construct,
  options: { name: string; functions: StepFunctions; settings: Settings },
): StateMachine => {
  const scope = new Construct(stack, 'ProvisionMachine');
  const make = taskMaker(scope, { family: 'machine', functions: options.functions, input: ['machine', 'holder'] });
  const end = new Succeed(scope, 'end');
  const fail = make('fail', { extra: { 'failure.$': '$.failure' } });
  fail.next(end);
  const task = (step: string, keep?: Keep) => make(step, { keep, catchTo: fail });

  const begin = task('beginProvision', { at: '$.begin', fields: ['proceed', 'controlPlane'] });
  const observe = task('observeInstance', PROGRESS);
  const register = task('registerTarget');
  const confirm = task('confirmNode', PROGRESS);
  const finish = task('finishProvision');
  const launch = task('bootstrapData').next(task('launchInstance')).next(observe);

  const running = new Choice(scope, 'control plane?')
    .when(Condition.booleanEquals('$.begin.controlPlane', true), register)
    .otherwise(confirm);
  register.next(confirm);
  poll(scope, { task: observe, done: running, failed: finish });
  poll(scope, { task: confirm, done: finish, failed: finish });
  finish.next(end);
  const start = begin.next(
    new Choice(scope, 'proceed?').when(Condition.booleanEquals('$.begin.proceed', true), launch).otherwise(end),
  );
  return workflow(scope, {
    id: 'Machine',
    name: options.name,
    start,
    timeout: Duration.hours(6),
    settings: options.settings,
  });
};
