import type { Machine } from '../../kinds/index.ts';
import { staleMachines } from '../drain/delay.ts';
import { aggregate, aggregateSources } from './aggregate.ts';
import { type ConditionClaim, findCondition } from './conditions.ts';

/**
 * The conditions that MachineSets, MachineDeployments and control planes have in common, from desired and existing
 * machines.
 */
export interface OwnerFacts {
  desired: number;
  machines: readonly Machine[];
  deleting: boolean;
  now: Date;
  /** Why scaling is blocked, if it is. */
  blocked?: string;
}

const notReplicas = (type: string): ConditionClaim => ({ type, status: 'True', reason: 'NoReplicas' });

/** MachinesReady and MachinesUpToDate. */
export const machinesClaims = (machines: readonly Machine[]): ConditionClaim[] =>
  machines.length === 0
    ? [notReplicas('MachinesReady'), notReplicas('MachinesUpToDate')]
    : [
        aggregate('MachinesReady', 'Ready', aggregateSources(machines), ['Ready', 'NotReady', 'ReadyUnknown']),
        aggregate('MachinesUpToDate', 'UpToDate', aggregateSources(machines), [
          'UpToDate',
          'NotUpToDate',
          'UpToDateUnknown',
        ]),
      ];

const delayOf = (machines: readonly Machine[], now: Date, link = '\n* '): string => {
  const stale = staleMachines(machines, now);
  return stale === undefined ? '' : `${link}${stale}`;
};

/** ScalingUp and ScalingDown, with upstream's wording. */
export const scalingClaims = ({ desired, machines, deleting, blocked, now }: OwnerFacts): ConditionClaim[] => {
  const wanted = deleting ? 0 : desired;
  const current = machines.length;
  const why = blocked && !deleting ? `:\n${blocked}` : '';
  const text = (direction: string) => `Scaling ${direction} from ${current} to ${wanted} replicas${why}`;
  return [
    current < wanted
      ? { type: 'ScalingUp', status: 'True', reason: 'ScalingUp', message: text('up') }
      : { type: 'ScalingUp', status: 'False', reason: 'NotScalingUp' },
    current > wanted
      ? {
          type: 'ScalingDown',
          status: 'True',
          reason: 'ScalingDown',
          message: `${text('down')}${delayOf(machines, now)}`,
        }
      : { type: 'ScalingDown', status: 'False', reason: 'NotScalingDown' },
  ];
};

/** A change of version comes first, then the others in alphabetical order. */
const inOrder = (reasons: ReadonlySet<string>): string[] =>
  [...reasons].sort(
    (a, b) => Number(b.startsWith('* Version')) - Number(a.startsWith('* Version')) || (a < b ? -1 : 1),
  );

/** RollingOut, with every reason for which a machine is replaced, as in upstream, and with what blocks the rollout. */
export const rollingOutClaim = ({
  machines,
  blocked,
  deleting,
}: Pick<OwnerFacts, 'machines' | 'blocked' | 'deleting'>): ConditionClaim => {
  const upToDate = machines.map(({ status }) => findCondition(status?.conditions, 'UpToDate'));
  const outdated = upToDate.filter((condition) => condition?.status === 'False');
  if (outdated.length === 0) return { type: 'RollingOut', status: 'False', reason: 'NotRollingOut' };
  const reasons = new Set(outdated.flatMap((condition) => condition?.message?.split('\n').filter(Boolean) ?? []));
  const text = `Rolling out ${outdated.length} not up-to-date replicas`;
  const held = blocked && !deleting ? ['It waits:', blocked] : [];
  const message = [text, ...inOrder(reasons), ...held].join('\n');
  return { type: 'RollingOut', status: 'True', reason: 'RollingOut', message };
};

/**
 * Deleting, with what the deletion waits for. `link`: the words before the names of machines whose deletion takes long.
 */
export const deletingClaim = (
  { deleting, machines, now }: Omit<OwnerFacts, 'desired'>,
  reason: string,
  link?: string,
): ConditionClaim =>
  deleting
    ? { type: 'Deleting', status: 'True', reason, message: `${waitingFor(machines)}${delayOf(machines, now, link)}` }
    : { type: 'Deleting', status: 'False', reason: 'NotDeleting' };

const waitingFor = (machines: readonly Machine[]): string => {
  const { length } = machines;
  return length === 0 ? 'Deletion completed' : `Deleting ${length} Machine${length === 1 ? '' : 's'}`;
};
