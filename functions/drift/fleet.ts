import { createEc2Client } from '../../shared/aws/clients/ec2.ts';
import { createEc2Fleet, createEc2Schedule } from '../../shared/aws/ec2-fleet.ts';
import type { DriftDependencies } from './dependencies.ts';

type ScheduledFleet = ReturnType<DriftDependencies['fleet']>;

const open = (region: string | undefined): ScheduledFleet => {
  const client = createEc2Client({ region });
  return { ...createEc2Fleet(client), ...createEc2Schedule(client) };
};

/** The instances of a region with what is scheduled for them, over one client for each region. */
export const makeScheduledFleets = (): DriftDependencies['fleet'] => {
  const known = new Map<string | undefined, ScheduledFleet>();
  return (region) => {
    const made = known.get(region) ?? open(region);
    known.set(region, made);
    return made;
  };
};
