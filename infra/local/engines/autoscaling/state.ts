import type { Ec2 } from '../ec2/state.ts';
import type { ClassicElb } from '../elb/state.ts';
import type { DataPath, Elb } from '../elbv2/state.ts';
import type { EventBus } from '../events/bus.ts';
import { AwsFault } from '../wire/fault.ts';
import type { Place } from '../wire/place.ts';
import type { Activity, Group } from './records.ts';
import type { AutoScalingSettings } from './settings.ts';

/** The services in its region that Auto Scaling uses. */
export interface Neighbours {
  readonly ec2: Ec2;
  readonly elb: Elb;
  readonly classicElb: ClassicElb;
  /** The data path of load balancers; undefined until they are served. */
  readonly dataPath: () => DataPath | undefined;
  /** Throws the refusal of a call from Auto Scaling to EC2: throttling or injected faults. */
  readonly admit: (operation: string, input: object) => void;
}

/** The complete state of the simulated Auto Scaling of one region. */
export interface AutoScaling {
  readonly place: Place;
  readonly settings: AutoScalingSettings & { readonly elbTimeScale: number };
  readonly bus: EventBus;
  readonly neighbours: Neighbours;
  readonly groups: Map<string, Group>;
  /** Activities of groups that are deleted, by the group's ARN. */
  readonly buried: Map<string, { readonly name: string; readonly activities: Activity[] }>;
  readonly counters: { sequence: number };
  /** The time of the groups' next check, and its listeners. */
  readonly pulse: Pulse;
  now(): number;
}

export interface Pulse {
  /** The time that it is set for. */
  at: number | undefined;
  readonly listeners: Set<() => void>;
}

export const createAutoScaling = (
  place: Place,
  settings: AutoScaling['settings'],
  bus: EventBus,
  neighbours: Neighbours,
): AutoScaling => ({
  place,
  settings,
  bus,
  neighbours,
  groups: new Map(),
  buried: new Map(),
  counters: { sequence: 0 },
  pulse: { at: undefined, listeners: new Set() },
  now: () => place.clock.now().getTime(),
});

export const validationError = (message: string): AwsFault => new AwsFault('ValidationError', message);

/** The group, or the fault with which most calls answer if it does not exist. */
export const getGroup = (as: AutoScaling, name: string | undefined): Group => {
  const group = as.groups.get(name ?? '');
  if (!group) throw validationError('AutoScalingGroup name not found - null');
  return group;
};

/** The seconds of a setting that a laptop shortens, in milliseconds. */
export const scaled = ({ settings }: AutoScaling, seconds: number): number =>
  seconds * 1000 * settings.autoScalingTimeScale;

/** Whether a process of the group is not suspended. */
export const does = ({ suspended }: Group, process: string): boolean => !suspended.has(process);
