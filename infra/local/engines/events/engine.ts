import type { Clock } from '../../../../shared/clock.ts';
import type { Log } from '../../../../shared/log.ts';
import type { Random } from '../../../../shared/random.ts';
import { type Engine, onlyKnown, type Resource, text } from '../../engine.ts';
import type { Identity, Target } from '../../template.ts';
import { type BusEvent, type EventBus, eventTime } from './bus.ts';
import { checkPattern, matches } from './pattern.ts';
import { rateMilliseconds } from './rate.ts';

/**
 * Retries and dead letters of a target concern EventBridge's own failures to reach Lambda, which do not happen here.
 * The function's own failures are logged.
 */
const KNOWN = ['Description', 'EventPattern', 'Name', 'ScheduleExpression', 'State', 'Targets'];
const KNOWN_OF_TARGET = ['Arn', 'DeadLetterConfig', 'Id', 'Input', 'RetryPolicy'];

export interface EventsOptions {
  target: Target;
  /** The events of services; without it, only schedules have an effect. */
  bus?: EventBus;
  clock: Clock;
  random: Random;
  log: Log;
  /** Whether unrecorded time has passed since the last tick: then schedules start immediately. */
  isOverdue?: boolean;
  /** True if schedules must invoke nothing. */
  withoutSchedules?: boolean;
  invoke(functionArn: string, event: unknown): Promise<unknown>;
}

interface RuleTarget {
  functionArn: string;
  /** The function's input instead of the event. */
  input?: unknown;
}

interface Rule {
  name: string;
  arn: string;
  targets: readonly RuleTarget[];
  /** One of the two is set. */
  everyMilliseconds?: number;
  pattern?: unknown;
}

const targetsOf = (resource: Resource): RuleTarget[] =>
  ((resource.properties.Targets ?? []) as Record<string, unknown>[]).map((target) => {
    const unknown = Object.keys(target).filter((name) => !KNOWN_OF_TARGET.includes(name));
    if (unknown.length > 0)
      throw new Error(
        `${resource.type} "${resource.logicalId}": the laptop does not know ${unknown.join(', ')} of a target`,
      );
    const functionArn = String(target.Arn);
    return target.Input === undefined ? { functionArn } : { functionArn, input: JSON.parse(String(target.Input)) };
  });

const ruleOf = (resource: Resource, target: Target): Rule => {
  onlyKnown(resource, KNOWN);
  const { EventPattern: pattern, ScheduleExpression: schedule } = resource.properties;
  const name = String(resource.properties.Name ?? `${target.stackName}-${resource.logicalId}`);
  const arn = `arn:${target.partition}:events:${target.region}:${target.accountId}:rule/${name}`;
  if (pattern !== undefined) checkPattern(pattern, `the event pattern of "${resource.logicalId}"`);
  const isSchedule = schedule !== undefined || pattern === undefined;
  return {
    name,
    arn,
    targets: targetsOf(resource),
    ...(isSchedule ? { everyMilliseconds: rateMilliseconds(text(resource, 'ScheduleExpression')) } : {}),
    ...(pattern === undefined ? {} : { pattern }),
  };
};

const tickOf = ({ arn }: Rule, { target, random, clock }: EventsOptions): BusEvent => ({
  version: '0',
  id: random.uuid(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: target.accountId,
  time: eventTime(clock.now()),
  region: target.region,
  resources: [arn],
  detail: {},
});

const deliver = ({ name, targets }: Rule, event: BusEvent, { invoke, log }: EventsOptions): void => {
  for (const { functionArn, input = event } of targets)
    invoke(functionArn, input).catch((error: unknown) => {
      const { name: kind, message } = error as Error;
      const type = event['detail-type'];
      log.error('a function failed that a rule invoked', { rule: name, event: type, error: kind, reason: message });
    });
};

/**
 * Rules. Those with a rate invoke their functions by the injected clock, for the first time one interval after the
 * start; those with a pattern for every matching event in the template's region on the bus.
 */
export const eventsEngine = (options: EventsOptions): Engine => {
  const { target, bus, clock, log } = options;
  const rules: Rule[] = [];
  const ended = new AbortController();

  const run = async (rule: Rule, everyMilliseconds: number): Promise<void> => {
    if (options.isOverdue) deliver(rule, tickOf(rule, options), options);
    while (!ended.signal.aborted) {
      await clock.sleep(everyMilliseconds, ended.signal);
      deliver(rule, tickOf(rule, options), options);
    }
  };

  const receive = (event: BusEvent): void => {
    if (event.region !== target.region) return;
    for (const rule of rules)
      if (rule.pattern !== undefined && matches(rule.pattern, event)) deliver(rule, event, options);
  };

  return {
    types: ['AWS::Events::Rule'],
    create: (resource): Identity => {
      const rule = ruleOf(resource, target);
      if (resource.properties.State !== 'DISABLED') rules.push(rule);
      return { ref: rule.name, attributes: { Arn: rule.arn } };
    },
    start: async () => {
      for (const rule of options.withoutSchedules ? [] : rules)
        if (rule.everyMilliseconds !== undefined)
          run(rule, rule.everyMilliseconds).catch((error: unknown) => {
            if (!ended.signal.aborted) log.error('a schedule ended', { rule: rule.name, reason: String(error) });
          });
      const deaf = bus?.listen(receive);
      if (deaf) ended.signal.addEventListener('abort', deaf, { once: true });
    },
    stop: async () => ended.abort(),
  };
};
