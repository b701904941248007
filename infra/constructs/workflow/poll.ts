import { Choice, Condition, type IChainable, type State, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Keep, Step } from './workflow.ts';

/** A polled task keeps its ProgressResult here. All tasks share one place, because only the latest result matters. */
export const PROGRESS: Keep = { at: '$.progress', fields: ['progress', 'waitSeconds'] };

/** Repeats `task`, each time after the seconds that it returned, until it is done or has failed. */
export const poll = (
  scope: Construct,
  options: { name: string; task: Step; done: IChainable; failed: State },
): void => {
  const { name, task, done, failed } = options;
  const wait = new Wait(scope, `wait for ${name}`, { time: WaitTime.secondsPath('$.progress.waitSeconds') });
  wait.next(task);
  task.next(
    new Choice(scope, `${name} done?`)
      .when(Condition.stringEquals('$.progress.progress', 'done'), done)
      .when(Condition.stringEquals('$.progress.progress', 'wait'), wait)
      .otherwise(failed),
  );
};
