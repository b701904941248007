import type { Placement, RunInstancesCommandInput } from '@aws-sdk/client-ec2';
import type { AWSMachine } from '../../../../kinds/index.ts';

/** The host of the instance: named by the machine, or one that is allocated for it right before the launch. */
const hostPlacement = ({ spec }: AWSMachine): Placement => {
  if (spec.dynamicHostAllocation) return { Tenancy: 'host', Affinity: 'host' };
  if (spec.hostID)
    return { Tenancy: spec.tenancy ?? 'host', HostId: spec.hostID, Affinity: spec.hostAffinity ?? 'default' };
  return spec.tenancy === 'host' && spec.hostAffinity === 'host' ? { Affinity: 'host' } : {};
};

/** Where on AWS's hardware the instance goes. */
export const placement = (machine: AWSMachine): Pick<RunInstancesCommandInput, 'Placement'> => {
  const { spec } = machine;
  const Placement = {
    ...(spec.tenancy ? { Tenancy: spec.tenancy } : {}),
    ...(spec.placementGroupName ? { GroupName: spec.placementGroupName } : {}),
    ...(spec.placementGroupPartition ? { PartitionNumber: spec.placementGroupPartition } : {}),
    ...hostPlacement(machine),
  };
  return Object.keys(Placement).length > 0 ? { Placement } : {};
};
