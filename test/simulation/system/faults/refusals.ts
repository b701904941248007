/** The responses of AWS during an outage, or if the account has reached a limit. */
import { AwsFault } from '../../../../infra/local/engines/wire/fault.ts';
import type { Call } from './faults.ts';
import type { HappeningKind } from './kinds.ts';

/** The errors of an account that has reached its limits. */
const QUOTAS: Readonly<Record<string, string>> = {
  'ec2:CreateVpc': 'VpcLimitExceeded',
  'ec2:AllocateAddress': 'AddressLimitExceeded',
  'ec2:CreateNatGateway': 'NatGatewayLimitExceeded',
  'ec2:CreateSecurityGroup': 'SecurityGroupLimitExceeded',
  'ec2:RunInstances': 'VcpuLimitExceeded',
  'elasticloadbalancing:CreateLoadBalancer': 'TooManyLoadBalancers',
  'elasticloadbalancing:CreateTargetGroup': 'TooManyTargetGroups',
};

const WRITES = /^(Put|Update|Delete|BatchWrite|TransactWrite)/;

/** Throws if AWS refuses the call because of an active fault. `isOn` is only called for faults that concern the call. */
export const admitWhile = (isOn: (kind: HappeningKind) => boolean, { service, operation }: Call): void => {
  const name = `${service}:${operation}`;
  const isOfTable = service === 'dynamodb';
  const isOfWorkflows = service === 'states';
  if (isOfTable && WRITES.test(operation) && isOn('table throttled'))
    throw new AwsFault('ThrottlingException', 'Throughput exceeds the current capacity of your table.', 400);
  if (isOfTable && isOn('table fails'))
    throw new AwsFault('InternalServerError', 'The request could not be processed.', 500);
  if (isOfWorkflows && isOn('Step Functions fails'))
    throw new AwsFault('ServiceUnavailable', 'The request has failed due to a temporary failure of the server.', 503);
  if (name === 'ec2:RunInstances' && isOn('no capacity'))
    throw new AwsFault('InsufficientInstanceCapacity', 'We currently do not have sufficient capacity.', 500);
  const quota = QUOTAS[name];
  if (quota && isOn('quota reached')) throw new AwsFault(quota, 'The maximum number has been reached.', 400);
  if (!isOfTable && !isOfWorkflows && isOn('AWS fails'))
    throw new AwsFault('InternalError', 'An internal error has occurred.', 500);
};
