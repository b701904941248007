import { plansOf } from './drivers.ts';
import { isFresh } from './intents.ts';
import { planInternetGateway } from './internet-gateway/plan.ts';
import type { NetworkPlan, NetworkProblem } from './model.ts';
import { planSecondaryBlocks } from './secondary-blocks/plan.ts';
import { overrideProblem } from './security-groups/overrides.ts';
import { ruleSourceProblem } from './security-groups/rule-sources.ts';
import { mergePlans, type Situation } from './situation.ts';
import { managedSubnetProblem } from './subnets/problems.ts';
import { planUnmanaged } from './users-vpc/plan.ts';
import { chooseVpc, type VpcChoice } from './vpc/choose.ts';
import { planIpv6Block, planVpcCreation } from './vpc/numbers.ts';
import { planVpcSettings } from './vpc/plan.ts';

const isAtRest = ({ actions, waiting, problem }: NetworkPlan): boolean =>
  actions.length === 0 && waiting.length === 0 && problem === undefined;

/** Errors in the spec, before anything is created. */
const problemOf = ({ desired, observed }: Situation, choice: VpcChoice): NetworkProblem | undefined => {
  const subnets = choice.state === 'unmanaged' ? undefined : managedSubnetProblem(desired, choice.state !== 'absent');
  const roles = desired.securityGroups.map(({ role }) => role);
  return (
    subnets ?? overrideProblem(desired, observed, choice) ?? ruleSourceProblem(desired.ruleSources, roles, observed)
  );
};

/**
 * What must be done now for the VPC, its subnets, internet gateway, route tables and security groups. Called again with
 * each new snapshot until there is nothing more to do. NAT gateways have a separate step (planWaysOut).
 */
export const planNetwork = (situation: Situation): NetworkPlan => {
  const { desired, observed, intents, now } = situation;
  const choice = chooseVpc(desired, observed.vpcs);
  const problem = choice.state === 'missing' ? undefined : problemOf(situation, choice);
  if (problem) return { actions: [], waiting: [], problem };
  switch (choice.state) {
    case 'unmanaged':
      return planUnmanaged(situation, choice.vpc);
    case 'missing':
      if (isFresh(intents.vpc, now)) return { actions: [], waiting: ['vpc'] };
      return {
        actions: [],
        waiting: [],
        problem: {
          condition: 'VpcReady',
          message: `VPC ${choice.id}, which spec.network.vpc.id names, does not exist`,
        },
      };
    case 'absent': {
      return mergePlans([planVpcCreation(situation), planInternetGateway(situation, undefined)]);
    }
    case 'ours': {
      const settings = planVpcSettings(situation, choice.vpc, choice.duplicates);
      const blocks = mergePlans([planIpv6Block(situation, choice.vpc), planSecondaryBlocks(situation, choice.vpc)]);
      // Subnets lie in the blocks.
      if (!isAtRest(blocks)) return mergePlans([settings, blocks]);
      return mergePlans([settings, ...plansOf('network', situation, choice.vpc.id)]);
    }
  }
};

/**
 * NAT gateways and what depends on them: their addresses are sources in the rules of the API's load balancer, so the
 * rules follow the gateways. In a user's VPC, only the rules are ours.
 */
export const planWaysOut = (situation: Situation): NetworkPlan => {
  const choice = chooseVpc(situation.desired, situation.observed.vpcs);
  if (choice.state !== 'ours' && choice.state !== 'unmanaged') return { actions: [], waiting: ['vpc'] };
  return mergePlans(plansOf('natGateways', situation, choice.vpc.id));
};
