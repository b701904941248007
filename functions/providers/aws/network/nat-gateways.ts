import { isOfNatGateways } from '../../../../shared/providers/aws/network/nat-gateways/plan.ts';
import { planWaysOut } from '../../../../shared/providers/aws/network/plan.ts';
import type { ConvergeInput, ReadyResult } from '../../../../shared/work/payloads.ts';
import { isProvidedAsItIs } from '../infrastructure/scope.ts';
import { reconcileBastion } from './bastion/reconcile.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { settleNetwork } from './look.ts';
import { reportOutcome } from './report.ts';

/**
 * Creates a NAT gateway with an address in each zone, the default routes of the private subnets, and then the bastion.
 * Ready when they are requested, not when they work: that takes minutes, during which the machines boot.
 */
export const natGateways =
  (deps: NetworkDependencies) =>
  async (input: ConvergeInput): Promise<ReadyResult> => {
    const settled = await settleNetwork(deps, input, { part: 'natGateways', plan: planWaysOut });
    if (!settled) return { ready: await isProvidedAsItIs(deps, input.cluster) };
    const about = { part: 'natGateways', conditions: ['NatGatewaysReady'], intents: isOfNatGateways } as const;
    const ready = await reportOutcome(deps, settled, about);
    if (ready) await reconcileBastion(deps, settled.situation);
    return { ready };
  };
