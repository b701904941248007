/**
 * One pass over one cluster.
 *
 * Lifecycle: `begin` takes the cluster's lease and determines the purpose of the pass. A normal pass creates the
 * foundation, then in parallel what depends on it; `machines` creates the machines' objects and starts one execution
 * per new machine; `workload` observes the workload cluster and applies add-ons to it. If machines of an initialized
 * control plane are about to change, `probe` observes it before. `outside` replaces the steps of infrastructure if an
 * external provider reconciles it. A deleting pass deletes, in Cluster API's order,
 * machines, endpoint, foundation. Every pass ends with `conclude`, which reports the status and
 * releases the lease.
 *
 * Idempotency: the execution's name is `<cluster uid>-<wanted>`, so that a pass is started once however often it is
 * requested; each step observes the current state first and may run twice, also concurrently.
 *
 * Gotchas: a pass never waits for machines or for AWS. A step that is not ready is followed by `workloadWhileUnready`,
 * so that the status reports a cluster whose infrastructure broke, and by `concludeWhileUnready`, which continues
 * deletions; in the mode `unready`, it is followed by `machines`. The pass that `requeue` starts after the wait gets
 * further. Histories stay short, and a delete or pause takes effect immediately. A task that fails permanently goes to
 * `fail`, which continues deletions and reports the failure on the objects; the execution itself succeeds. After
 * `machines`, which one bad object makes fail, the pass continues for the others with `workloadAfterFailure` and
 * `concludeAfterFailure`, which also reports the failure. Only `fail` and `requeue` have no Catch: when they fail the
 * execution fails, and the sweep starts the next pass once the lease has expired.
 */
import { Duration } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  Parallel,
  type State,
  type StateMachine,
  Succeed,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { OUTSIDE } from '../../shared/providers/outside/infrastructure.ts';
import type { Settings } from '../constructs/settings.ts';
import { CATCH_ALL, type Keep, taskMaker, type Workers, workflow } from '../constructs/workflow/workflow.ts';

const NEXT_PASS: Keep = { at: '$.conclude', fields: ['again', 'waitSeconds', 'wanted'] };
const ready = (at?: string): Keep => ({ at, fields: ['ready'] });
const done = (at: string): Keep => ({ at, fields: ['done'] });

type Make = ReturnType<typeof taskMaker>;

const makeTasks = ({ core, provided }: Make, fail: State) => {
  const task = (step: string, keep?: Keep) => core(step, { keep, catchTo: fail });
  const ofProvider = (step: string, keep?: Keep) => provided(step, { keep, catchTo: fail });
  const seen = { 'seen.$': '$.begin.wanted' };
  const workloadAfterFailure = task('workloadAfterFailure');
  const conclusion = { keep: NEXT_PASS, catchTo: fail };
  return {
    begin: task('begin', { at: '$.begin', fields: ['mode', 'wanted', 'infrastructure'] }),
    foundation: ofProvider('foundation', ready('$.foundation')),
    certificatesWhileUnready: task('certificatesWhileUnready', {
      at: '$.infrastructure',
      fields: ['ready', 'changes'],
    }),
    /** Replaces the steps of a provider whose infrastructure is reconciled elsewhere. */
    outside: task('outside', { at: '$.infrastructure', fields: ['ready', 'changes'] }),
    /** Checks the health of a control plane whose machines are about to change. */
    probe: task('probe'),
    machines: core('machines', { catchTo: workloadAfterFailure, extra: { 'checked.$': '$.infrastructure.changes' } }),
    workload: task('workload'),
    teardown: task('teardown', done('$.teardown')),
    removeEndpoint: ofProvider('removeEndpoint', done('$.removeEndpoint')),
    removeFoundation: ofProvider('removeFoundation'),
    conclude: core('conclude', { ...conclusion, extra: seen }),
    workloadWhileUnready: task('workloadWhileUnready'),
    concludeWhileUnready: core('concludeWhileUnready', { ...conclusion, extra: seen }),
    workloadAfterFailure,
    concludeAfterFailure: core('concludeAfterFailure', {
      ...conclusion,
      extra: { ...seen, 'failure.$': '$.failure' },
    }),
  };
};

type Tasks = ReturnType<typeof makeTasks>;

/** Resources that need only the foundation are created in parallel. */
const onFoundation = (scope: Construct, { core, provided }: Make, fail: State): Parallel => {
  const parallel = new Parallel(scope, 'on the foundation', {
    resultSelector: {
      'endpoint.$': '$[0].ready',
      'egress.$': '$[1].ready',
      'certificates.$': '$[2].ready',
      'changes.$': '$[2].changes',
    },
    resultPath: '$.infrastructure',
  });
  for (const step of ['endpoint', 'egress']) parallel.branch(provided(step, { keep: ready() }));
  parallel.branch(core('certificates', { keep: { fields: ['ready', 'changes'] } }));
  return parallel.addCatch(fail, CATCH_ALL);
};

const whenReady = (scope: Construct, tasks: Tasks, rest: Parallel): void => {
  const complete = Condition.and(
    Condition.booleanEquals('$.infrastructure.endpoint', true),
    Condition.booleanEquals('$.infrastructure.egress', true),
    Condition.booleanEquals('$.infrastructure.certificates', true),
  );
  const isRegardless = Condition.stringEquals('$.begin.mode', 'unready');
  tasks.foundation.next(
    new Choice(scope, 'foundation ready?')
      .when(Condition.booleanEquals('$.foundation.ready', true), rest)
      .when(isRegardless, tasks.certificatesWhileUnready)
      .otherwise(tasks.workloadWhileUnready),
  );
  const changes = Condition.booleanEquals('$.infrastructure.changes', true);
  const mayContinue = Condition.or(
    complete,
    Condition.and(isRegardless, Condition.booleanEquals('$.infrastructure.certificates', true)),
  );
  rest.next(
    new Choice(scope, 'infrastructure ready?')
      .when(Condition.and(mayContinue, changes), tasks.probe)
      .when(mayContinue, tasks.machines)
      .otherwise(tasks.workloadWhileUnready),
  );
  const prepared = new Choice(scope, 'provider ready?')
    .when(changes, tasks.probe)
    .when(Condition.booleanEquals('$.infrastructure.ready', true), tasks.machines)
    .otherwise(tasks.workloadWhileUnready);
  for (const task of [tasks.outside, tasks.certificatesWhileUnready]) task.next(prepared);
  tasks.probe.next(tasks.machines);
  tasks.machines.next(tasks.workload).next(tasks.conclude);
  tasks.workloadWhileUnready.next(tasks.concludeWhileUnready);
  tasks.workloadAfterFailure.next(tasks.concludeAfterFailure);
};

/** Whether another manager, and not this installation, provides the cluster's infrastructure. */
const IS_OUTSIDE = Condition.stringEquals('$.begin.infrastructure', OUTSIDE);

const whenDeleted = (scope: Construct, tasks: Tasks): void => {
  tasks.teardown.next(
    new Choice(scope, 'machines gone?')
      .when(Condition.and(Condition.booleanEquals('$.teardown.done', true), IS_OUTSIDE), tasks.conclude)
      .when(Condition.booleanEquals('$.teardown.done', true), tasks.removeEndpoint)
      .otherwise(tasks.conclude),
  );
  tasks.removeEndpoint.next(
    new Choice(scope, 'endpoint gone?')
      .when(Condition.booleanEquals('$.removeEndpoint.done', true), tasks.removeFoundation)
      .otherwise(tasks.conclude),
  );
  tasks.removeFoundation.next(tasks.conclude);
};

/** The state machine `converge-cluster`; its input is a ConvergeInput. */
export const convergeCluster = (
  stack: Construct,
  options: Workers & { name: string; settings: Settings },
): StateMachine => {
  const scope = new Construct(stack, 'ConvergeCluster');
  const make = taskMaker(scope, {
    family: 'cluster',
    functions: options.functions,
    providers: options.providers,
    input: ['cluster', 'wanted', 'holder'],
  });
  const { core } = make;
  const fail = core('fail', { keep: NEXT_PASS, extra: { 'failure.$': '$.failure' } });
  const tasks = makeTasks(make, fail);
  const end = new Succeed(scope, 'end');

  whenReady(scope, tasks, onFoundation(scope, make, fail));
  whenDeleted(scope, tasks);
  const later = new Choice(scope, 'look again?')
    .when(
      Condition.numberGreaterThan('$.conclude.waitSeconds', 0),
      new Wait(scope, 'wait', { time: WaitTime.secondsPath('$.conclude.waitSeconds') })
        .next(core('requeue', { extra: { 'seen.$': '$.conclude.wanted' } }))
        .next(end),
    )
    .otherwise(end);
  tasks.conclude.next(later);
  tasks.concludeWhileUnready.next(later);
  tasks.concludeAfterFailure.next(later);
  fail.next(later);
  const start = tasks.begin.next(
    new Choice(scope, 'what to do?')
      .when(
        Condition.or(Condition.stringEquals('$.begin.mode', 'busy'), Condition.stringEquals('$.begin.mode', 'gone')),
        end,
      )
      .when(Condition.stringEquals('$.begin.mode', 'paused'), tasks.conclude)
      .when(Condition.stringEquals('$.begin.mode', 'delete'), tasks.teardown)
      .when(IS_OUTSIDE, tasks.outside)
      .otherwise(tasks.foundation),
  );
  return workflow(scope, {
    id: 'Machine',
    name: options.name,
    start,
    timeout: Duration.hours(2),
    settings: options.settings,
  });
};
