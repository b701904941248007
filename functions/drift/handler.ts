import { createEc2Client } from '../../shared/aws/clients/ec2.ts';
import { createEc2Fleet, type Ec2Fleet } from '../../shared/aws/ec2-fleet.ts';
import { makeSealedRuntime } from '../sealed-runtime.ts';
import { sweep } from './sweep.ts';

const runtime = makeSealedRuntime(process.env);

const known = new Map<string | undefined, Ec2Fleet>();
const fleet = (region: string | undefined): Ec2Fleet => {
  const made = known.get(region) ?? createEc2Fleet(createEc2Client({ region }));
  known.set(region, made);
  return made;
};

/** Invoked by the schedule; what is in the event does not matter. */
export const handler = () => sweep({ ...runtime, log: runtime.log.with({ function: 'drift' }), fleet });
