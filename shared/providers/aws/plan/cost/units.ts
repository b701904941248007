/** The units in which AWS bills an installation of Windlass. */

interface UnitText {
  service: string;
  item: string;
}

const unit = (service: string, item: string): UnitText => ({ service, item });

/** In the order of a bill. A month has 730 hours; storage for a shorter time is billed by the hour. */
export const UNITS = {
  /** Of Standard workflows: each state that is entered, and each retry. */
  transitions: unit('Step Functions', 'state transitions'),
  executions: unit('Step Functions', 'executions'),
  invocations: unit('Lambda', 'invocations'),
  /** On arm64. */
  gigabyteSeconds: unit('Lambda', 'GB-seconds'),
  /** On demand; an eventually consistent read of up to 4 KB is half a unit. */
  readUnits: unit('DynamoDB', 'read units'),
  /** On demand, for up to 1 KB, including those of the indexes. */
  writeUnits: unit('DynamoDB', 'write units'),
  tableGigabyteMonths: unit('DynamoDB', 'GB-months of storage'),
  backupGigabyteMonths: unit('DynamoDB', 'GB-months of point-in-time recovery'),
  /** REST API. */
  apiRequests: unit('API Gateway', 'requests'),
  secretMonths: unit('Secrets Manager', 'secret-months'),
  secretRequests: unit('Secrets Manager', 'requests'),
  keyMonths: unit('KMS', 'key-months'),
  keyRequests: unit('KMS', 'requests'),
  /** Written by functions, workflows and the gateway. */
  logGigabytes: unit('CloudWatch', 'GB of logs'),
  /** For each metric of an alarm. */
  alarmMetricMonths: unit('CloudWatch', 'alarm-metric-months'),
  /** For each name with each of its dimensions, in the hours in which it gets values. */
  metricMonths: unit('CloudWatch', 'metric-months'),
  dashboardMonths: unit('CloudWatch', 'dashboard-months'),
  traces: unit('X-Ray', 'traces'),
  /** Rules of EventBridge for events of AWS services, and schedules. */
  events: unit('EventBridge', 'events'),
  /** EC2, Elastic Load Balancing, Auto Scaling, STS and other services whose calls are free. */
  freeCalls: unit('EC2 and others', 'calls'),
  /** The same calls in an account that pays for their analysis (GuardDuty). */
  recordedCalls: unit('GuardDuty', 'recorded calls'),
} as const;

export type ServiceUnit = keyof typeof UNITS;
