import { planNatGateways } from '../../../shared/plan/network/plan-nat-gateways.ts';
import { planSecurityGroups } from '../../../shared/plan/network/plan-security-groups.ts';
import { mergePlans, type Situation } from '../../../shared/plan/network/situation.ts';
import { chooseVpc } from '../../../shared/plan/network/vpc.ts';
import type { ConvergeInput, ReadyResult } from '../../../shared/work/payloads.ts';
import { reconcileBastion } from './bastion.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { settleNetwork } from './look.ts';
import { reportOutcome } from './report.ts';

/** The gateways' addresses are sources in the rules of the API's load balancer, so the rules follow the gateways. */
const plan = (situation: Situation) => {
  const choice = chooseVpc(situation.desired, situation.observed.vpcs);
  const hasVpc = choice.state === 'ours' || choice.state === 'unmanaged';
  const rules = hasVpc ? [planSecurityGroups(situation, choice.vpc.id)] : [];
  return mergePlans([planNatGateways(situation), ...rules]);
};

/**
 * Makes a NAT gateway with an address in each zone, and the default routes of the private subnets, then the bastion.
 * Ready when they are asked for, not when they work: that takes minutes, which the machines spend booting.
 */
export const natGateways =
  (deps: NetworkDependencies) =>
  async ({ cluster: ref }: ConvergeInput): Promise<ReadyResult> => {
    const settled = await settleNetwork(deps, ref, { part: 'natGateways', plan });
    if (!settled) return { ready: false };
    const isOurs = (intent: string) => intent.startsWith('address-');
    const about = { part: 'natGateways', conditions: ['NatGatewaysReady'], intents: isOurs } as const;
    const ready = await reportOutcome(deps, settled, about);
    if (ready) await reconcileBastion(deps, settled.situation);
    return { ready };
  };
