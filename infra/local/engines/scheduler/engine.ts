import type { Clock } from '../../../../shared/clock.ts';
import type { Log } from '../../../../shared/log.ts';
import type { Random } from '../../../../shared/random.ts';
import { type Engine, onlyKnown, type Resource, text } from '../../engine.ts';
import type { Identity, Target } from '../../template.ts';
import { rateMilliseconds } from './rate.ts';

/** The retry policy of a target concerns EventBridge's own failures to reach Lambda, which do not happen here. */
const KNOWN = ['Description', 'Name', 'ScheduleExpression', 'State', 'Targets'];
const KNOWN_OF_TARGET = ['Arn', 'Id', 'RetryPolicy'];

export interface SchedulerOptions {
  target: Target;
  clock: Clock;
  random: Random;
  log: Log;
  invoke(functionArn: string, event: unknown): Promise<unknown>;
}

interface Schedule {
  name: string;
  arn: string;
  everyMilliseconds: number;
  functionArns: readonly string[];
}

const targetsOf = (resource: Resource): string[] =>
  ((resource.properties.Targets ?? []) as Record<string, unknown>[]).map((target) => {
    const unknown = Object.keys(target).filter((name) => !KNOWN_OF_TARGET.includes(name));
    if (unknown.length > 0)
      throw new Error(
        `${resource.type} "${resource.logicalId}": the laptop does not know ${unknown.join(', ')} of a target`,
      );
    return String(target.Arn);
  });

const eventOf = ({ arn }: Schedule, { target, random, clock }: SchedulerOptions): object => ({
  version: '0',
  id: random.uuid(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: target.accountId,
  time: clock
    .now()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z'),
  region: target.region,
  resources: [arn],
  detail: {},
});

const tick = (schedule: Schedule, options: SchedulerOptions): void => {
  for (const functionArn of schedule.functionArns)
    options.invoke(functionArn, eventOf(schedule, options)).catch((error: unknown) => {
      const { name, message } = error as Error;
      options.log.error('a scheduled function failed', { rule: schedule.name, error: name, reason: message });
    });
};

/** Rules with a rate invoke their functions by the injected clock; the first time one interval after the start. */
export const schedulerEngine = (options: SchedulerOptions): Engine => {
  const { target, clock, log } = options;
  const schedules: Schedule[] = [];
  const ended = new AbortController();

  const run = async (schedule: Schedule): Promise<void> => {
    while (!ended.signal.aborted) {
      await clock.sleep(schedule.everyMilliseconds, ended.signal);
      tick(schedule, options);
    }
  };

  return {
    types: ['AWS::Events::Rule'],
    create: (resource): Identity => {
      onlyKnown(resource, KNOWN);
      const name = String(resource.properties.Name ?? `${target.stackName}-${resource.logicalId}`);
      const arn = `arn:${target.partition}:events:${target.region}:${target.accountId}:rule/${name}`;
      const everyMilliseconds = rateMilliseconds(text(resource, 'ScheduleExpression'));
      const functionArns = targetsOf(resource);
      if (resource.properties.State !== 'DISABLED') schedules.push({ name, arn, everyMilliseconds, functionArns });
      return { ref: name, attributes: { Arn: arn } };
    },
    start: async () => {
      for (const schedule of schedules)
        run(schedule).catch((error: unknown) => {
          if (!ended.signal.aborted) log.error('a schedule ended', { rule: schedule.name, reason: String(error) });
        });
    },
    stop: async () => ended.abort(),
  };
};
