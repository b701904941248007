import type { Account } from '../../account.ts';
import { type BusEvent, eventTime } from '../events/bus.ts';
import type { Call } from '../wire/call.ts';
import { requestParameters, responseElements } from './form.ts';
import { userIdentity } from './identity.ts';

/** The services whose calls are reported, with their sources in EventBridge. */
const SOURCES: Readonly<Record<string, string>> = { ec2: 'aws.ec2', elasticloadbalancing: 'aws.elasticloadbalancing' };

const READS = /^(Describe|Get|List|Search)/;

/** A call with its result. */
export interface TrailedCall {
  call: Call;
  input: object;
  output: object;
  /** Undefined if the call succeeded. */
  code: string | undefined;
}

const detailOf = (account: Account, { call, input, output, code }: TrailedCall, at: string) => {
  const { service, operation, region, requestId } = call;
  const { accountId } = account;
  const failure = code && { errorCode: service === 'ec2' ? `Client.${code}` : code };
  return {
    eventVersion: '1.11',
    userIdentity: userIdentity(call, account.principals.find(call.accessKeyId), accountId),
    eventTime: at,
    eventSource: `${service}.amazonaws.com`,
    eventName: operation,
    awsRegion: region,
    sourceIPAddress: '127.0.0.1',
    userAgent: call.request.headers['user-agent'] ?? '',
    ...(failure || {}),
    requestParameters: requestParameters(service, operation, input),
    responseElements: code ? null : responseElements(service, operation, output, requestId),
    requestID: requestId,
    eventID: account.random.uuid(),
    readOnly: false,
    eventType: 'AwsApiCall',
    managementEvent: true,
    recipientAccountId: accountId,
    eventCategory: 'Management',
  };
};

/**
 * The event with which a trail of the account reports a call to EventBridge; undefined for reads, and for services that
 * are not reported. It arrives immediately, and not within minutes as on AWS.
 */
export const trailEvent = (account: Account, trailed: TrailedCall): BusEvent | undefined => {
  const { service, operation, region } = trailed.call;
  const source = SOURCES[service];
  if (source === undefined || READS.test(operation)) return undefined;
  const time = eventTime(account.clock.now());
  return {
    version: '0',
    id: account.random.uuid(),
    'detail-type': 'AWS API Call via CloudTrail',
    source,
    account: account.accountId,
    time,
    region,
    resources: [],
    detail: detailOf(account, trailed, time),
  };
};
