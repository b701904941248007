/** Counts the members of a group. */
import { lifeOf } from '../ec2/instances/view.ts';
import type { Group, Member } from './records.ts';
import type { AutoScaling } from './state.ts';

const ACTIVE: readonly string[] = ['Pending', 'Pending:Wait', 'Pending:Proceed', 'InService'];

/** Members that count towards the desired capacity. */
export const activeMembers = ({ members }: Group): Member[] =>
  [...members.values()].filter(({ state }) => ACTIVE.includes(state));

/** Members of the warm pool, ready or being prepared. */
export const pooledMembers = ({ members }: Group): Member[] =>
  [...members.values()].filter(({ state }) => state.startsWith('Warmed:') && !state.startsWith('Warmed:Terminat'));

export const isLeaving = ({ state }: Member): boolean => /^(Warmed:)?Terminat/.test(state);

/** The capacity that members have together: their number, or the sum of their weights. */
export const capacityOf = (members: readonly Member[]): number => members.reduce((sum, { weight }) => sum + weight, 0);

/** The state of the member's instance; `terminated` for one that EC2 has forgotten. */
export const lifeOfMember = ({ neighbours: { ec2 } }: AutoScaling, { id }: Member) => {
  const instance = ec2.instances.find(id);
  return instance ? lifeOf(ec2, instance) : 'terminated';
};

export const isGone = (life: string): boolean => life === 'terminated' || life === 'shutting-down';
