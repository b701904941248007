import type { Machine } from '../../kinds/index.ts';
import { awaitsRemediation } from '../health/machine.ts';
import { aggregate, aggregateSources } from './aggregate.ts';
import { type ConditionClaim, findCondition } from './conditions.ts';

const SHOWN = 3;

const notHealthy = (machines: readonly Machine[], owner: string): string => {
  const names = machines.map(({ metadata }) => metadata.name).sort();
  if (names.length === 0) return '';
  const more = names.length > SHOWN ? `, ... (${names.length - SHOWN} more)` : '';
  const [noun, verb] = names.length === 1 ? ['Machine', 'is'] : ['Machines', 'are'];
  return `${noun} ${names.slice(0, SHOWN).join(', ')}${more} ${verb} not healthy (not to be remediated by ${owner})`;
};

/** Remediating for an owner of machines: as in upstream, why each machine to be remediated is not replaced yet. */
export const remediatingClaim = (machines: readonly Machine[], owner: string): ConditionClaim => {
  const type = 'Remediating';
  const open = machines.filter(awaitsRemediation);
  if (open.length === 0) {
    const unhealthy = machines.filter(
      ({ status }) => findCondition(status?.conditions, 'HealthCheckSucceeded')?.status === 'False',
    );
    return { type, status: 'False', reason: 'NotRemediating', message: notHealthy(unhealthy, owner) };
  }
  const { message } = aggregate(type, 'OwnerRemediated', aggregateSources(open), ['', '', '']);
  return { type, status: 'True', reason: 'Remediating', ...(message ? { message } : {}) };
};
