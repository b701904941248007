import { MissingReferenceError, RefusedError } from '../../../errors.ts';
import type { AWSCluster, AWSMachinePool } from '../../../kinds/index.ts';
import { subnetExcess } from '../../../kinds/rules/aws/machine-limits.ts';
import type { Ec2LaunchReads } from '../api/ec2-launch-reads.ts';
import { isSecondarySubnet } from '../network/subnets/kinds.ts';
import { givenSubnet } from './desired-group.ts';

/** Whether a pool selects subnets by filters, so that EC2 must be queried for them. */
export const hasSubnetFilters = ({ spec }: AWSMachinePool): boolean => (spec?.subnets ?? []).some(({ id }) => !id);

/**
 * The subnets that a pool names by id or by filters, without duplicates. `find` looks up filters and is only called for
 * these. Throws MissingReferenceError, with the field, if there is no match, and RefusedError for more filters than are
 * currently admitted.
 */
export const namedSubnets = async (
  find: Ec2LaunchReads['subnets'],
  { awsPool, awsCluster }: { awsPool: AWSMachinePool; awsCluster: AWSCluster },
): Promise<string[]> => {
  const excess = subnetExcess(awsPool.spec?.subnets);
  if (excess) throw new RefusedError(`spec.subnets: ${excess}`);
  const found = await Promise.all(
    (awsPool.spec?.subnets ?? []).map(async (reference, index) => {
      const given = givenSubnet(reference, awsCluster);
      if (given) return [given];
      const wanted = (reference.filters ?? []).map(({ name, values }) => ({ name, values: [...values] }));
      const subnets = wanted.length > 0 ? await find(wanted) : [];
      const fitting = subnets.filter((subnet) => !isSecondarySubnet(subnet));
      if (fitting.length > 0) return fitting.map((subnet) => subnet.id);
      throw new MissingReferenceError(`spec.subnets[${index}].filters: no subnet matches`);
    }),
  );
  return [...new Set(found.flat())];
};
