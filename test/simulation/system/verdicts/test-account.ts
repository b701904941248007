/** Accounts for tests of verdicts. */
import { type Account, createAccount } from '../../../../infra/local/account.ts';
import { KINDS } from '../../../../infra/local/engines/ec2/kinds.ts';
import { addVpc } from '../../../../infra/local/engines/ec2/network/vpcs.ts';
import type { Instance, Vpc } from '../../../../infra/local/engines/ec2/records.ts';
import { makeHandClock, makeSeededRandom } from '../../../../infra/local/test-aws.ts';
import { cidrOf } from '../../../../shared/cidr.ts';

/** An account with the default network, which belongs to nobody. */
export const testAccount = (): Account =>
  createAccount({ clock: makeHandClock(), random: makeSeededRandom('verdicts') });

export const OWNED: ReadonlyMap<string, string> = new Map([
  ['sigs.k8s.io/cluster-api-provider-aws/cluster/quickstart', 'owned'],
]);

/** A VPC with a route table and a security group, by default of the cluster. */
export const withVpc = (account: Account, tags: ReadonlyMap<string, string> = OWNED): Vpc =>
  addVpc(account.ec2(), cidrOf('10.0.0.0/16'), false, { tags });

/** A running instance, of which only the tags matter. */
export const withInstance = (account: Account, tags: Readonly<Record<string, string>>): Instance => {
  const ec2 = account.ec2();
  const born = ec2.born(KINDS.instance, new Map(Object.entries(tags)));
  return ec2.instances.add({ ...born, timeline: [{ state: 'running', at: 0 }] } as unknown as Instance);
};
