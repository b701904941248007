import type { NetworkAction } from '../model.ts';
import type { SeenVpcs } from './model.ts';

/** VPCs that only contain what is created and deleted with them. */
export const takeDownVpcs = ({ vpcs }: SeenVpcs, inhabited: ReadonlySet<string>): NetworkAction[] =>
  vpcs.filter(({ id }) => !inhabited.has(id)).map(({ id }) => ({ type: 'DeleteVpc', vpcId: id }));
