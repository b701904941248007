/**
 * Security groups that machines select by filters. The sweep makes one query for all machines with the same filters.
 */

import { describeAwsError } from '../../../../shared/aws/errors.ts';
import { recordEvent } from '../../../../shared/events/record.ts';
import { groupExcess } from '../../../../shared/kinds/rules/aws/machine-limits.ts';
import type { PlacedMachine } from '../../../../shared/providers/aws/plan/drift/difference.ts';
import { COMPONENT } from '../../../drift/dependencies.ts';
import type { AwsSweepDependencies } from './dependencies.ts';

type Dependencies = Pick<AwsSweepDependencies, 'objects' | 'clock' | 'repairs' | 'scopeOf'>;
type Reference = NonNullable<PlacedMachine['infrastructure']['spec']['additionalSecurityGroups']>[number];
type Find = (filters: NonNullable<Reference['filters']>) => Promise<string[]>;

const isByFilters = ({ id, filters = [] }: Reference): boolean => !id && filters.length > 0;

/** Makes one read for each port and set of filters. */
const makeFind = () => {
  const known = new Map<object, Map<string, Promise<string[]>>>();
  return (port: { securityGroups: Find }): Find => {
    const found = known.get(port) ?? new Map<string, Promise<string[]>>();
    known.set(port, found);
    return (filters) => {
      const key = JSON.stringify(filters);
      const answer = found.get(key) ?? port.securityGroups(filters);
      found.set(key, answer);
      return answer;
    };
  };
};

const resolve = async (find: Find, references: readonly Reference[]): Promise<Reference[]> => {
  const excess = groupExcess(references);
  if (excess) throw new Error(`spec.additionalSecurityGroups: ${excess}`);
  const resolved = await Promise.all(
    references.map(async (reference, index) => {
      if (!isByFilters(reference)) return [reference];
      const ids = await find(reference.filters ?? []);
      if (ids.length === 0)
        throw new Error(`spec.additionalSecurityGroups[${index}].filters: no security group matches`);
      return ids.map((id) => ({ id }));
    }),
  );
  return resolved.flat();
};

/**
 * Resolves the ids of all groups that machines name. If they cannot be resolved, the machine keeps its filters, so that
 * its groups are left alone, and an event gives the reason.
 */
export const makeGroupResolver = (deps: Dependencies) => {
  const findBy = makeFind();
  return async (known: PlacedMachine): Promise<PlacedMachine> => {
    const { infrastructure, awsCluster } = known;
    const references = infrastructure.spec.additionalSecurityGroups ?? [];
    if (!references.some(isByFilters)) return known;
    try {
      const find = findBy(deps.repairs(await deps.scopeOf(awsCluster)));
      const additionalSecurityGroups = await resolve(find, references);
      return {
        ...known,
        infrastructure: { ...infrastructure, spec: { ...infrastructure.spec, additionalSecurityGroups } },
      };
    } catch (error) {
      const message = describeAwsError(error);
      const happening = { type: 'Warning', reason: 'FailedFindSecurityGroups', message, component: COMPONENT } as const;
      await recordEvent(deps.objects, { regarding: known.machine, ...happening }, deps.clock);
      return known;
    }
  };
};
