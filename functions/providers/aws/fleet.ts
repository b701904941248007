import { createEc2Client } from '../../../shared/aws/clients/ec2.ts';
import { createEc2Fleet, type Ec2Fleet } from '../../../shared/providers/aws/api/ec2-fleet.ts';
import { makePerScope, type PerScope } from '../../../shared/providers/aws/scope.ts';

/** The instances of an account in a region. */
export const makeFleets = (): PerScope<Ec2Fleet> => makePerScope((options) => createEc2Fleet(createEc2Client(options)));
