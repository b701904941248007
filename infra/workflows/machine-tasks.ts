import { Succeed } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { type Keep, taskMaker, type Workers } from '../constructs/workflow/workflow.ts';

/**
 * The tasks of a workflow for one machine, whose input is a MachineInput. `begin` takes the machine's lease and returns
 * the kind of machine; tasks that fail lead to `fail` and then to `end`.
 */
export const machineTasks = (
  scope: Construct,
  { functions, providers }: Workers,
  beginStep: 'beginProvision' | 'beginRemove',
) => {
  const { core, provided } = taskMaker(scope, {
    family: 'machine',
    functions,
    providers,
    input: ['machine', 'holder'],
  });
  const end = new Succeed(scope, 'end');
  const fail = core('fail', { extra: { 'failure.$': '$.failure' } });
  fail.next(end);
  const task = (step: string, keep?: Keep) => core(step, { keep, catchTo: fail });
  const ofProvider = (step: string, keep?: Keep) => provided(step, { keep, catchTo: fail });
  const begin = task(beginStep, {
    at: '$.begin',
    fields: ['proceed', 'controlPlane', 'infrastructure', 'endpoint'],
  });
  return { core, task, ofProvider, begin, fail, end };
};
