import { createEc2Client } from '../shared/aws/clients/ec2.ts';
import { createEc2Fleet, type Ec2Fleet } from '../shared/aws/ec2-fleet.ts';

/** The instances of a region, over one client for each; of the stack's own region where none is named. */
export const makeFleets = (): ((region: string | undefined) => Ec2Fleet) => {
  const known = new Map<string | undefined, Ec2Fleet>();
  return (region) => {
    const made = known.get(region) ?? createEc2Fleet(createEc2Client({ region }));
    known.set(region, made);
    return made;
  };
};
