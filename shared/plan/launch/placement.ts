import type { Placement, RunInstancesCommandInput } from '@aws-sdk/client-ec2';
import type { AWSMachine } from '../../kinds/index.ts';

/** The host of the instance: named by the machine, or allocated for it. */
const hostPlacement = ({ spec }: AWSMachine, allocated: string | undefined): Placement => {
  const HostId = allocated ?? spec.hostID;
  if (HostId) {
    const Affinity = allocated ? 'host' : (spec.hostAffinity ?? 'default');
    return { Tenancy: spec.tenancy ?? 'host', HostId, Affinity };
  }
  return spec.tenancy === 'host' && spec.hostAffinity === 'host' ? { Affinity: 'host' } : {};
};

/** Where on AWS's hardware the instance goes; `allocated` is the dedicated host that was made for it. */
export const placement = (
  machine: AWSMachine,
  allocated: string | undefined,
): Pick<RunInstancesCommandInput, 'Placement'> => {
  const { spec } = machine;
  const Placement = {
    ...(spec.tenancy ? { Tenancy: spec.tenancy } : {}),
    ...(spec.placementGroupName ? { GroupName: spec.placementGroupName } : {}),
    ...(spec.placementGroupPartition ? { PartitionNumber: spec.placementGroupPartition } : {}),
    ...hostPlacement(machine, allocated),
  };
  return Object.keys(Placement).length > 0 ? { Placement } : {};
};
