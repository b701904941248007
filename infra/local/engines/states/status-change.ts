import type { Random } from '../../../../shared/random.ts';
import type { Target } from '../../template.ts';
import { type BusEvent, eventTime } from '../events/bus.ts';
import type { Execution } from './executions.ts';

/** The event with which Step Functions reports the status of an execution, in the documented form. */
export const statusChangeOf = (execution: Execution, target: Target, random: Random): BusEvent => {
  const { arn, machineArn, name, status, startDate, stopDate, input, output, error, cause } = execution;
  return {
    version: '0',
    id: random.uuid(),
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account: target.accountId,
    time: eventTime(stopDate ?? startDate),
    region: target.region,
    resources: [arn],
    detail: {
      executionArn: arn,
      stateMachineArn: machineArn,
      name,
      status,
      startDate: startDate.getTime(),
      stopDate: stopDate?.getTime() ?? null,
      input,
      output: output ?? null,
      inputDetails: { included: true },
      outputDetails: output === undefined ? null : { included: true },
      error: error ?? null,
      cause: cause ?? null,
    },
  };
};
