import type * as sdk from '@aws-sdk/client-service-quotas';
import type { Ec2Quotas } from '../ec2/settings.ts';
import type { ElbQuotas } from '../elbv2/settings.ts';
import { AwsFault } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';

/** The quotas in the account's settings, which may be changed at any time. */
export interface QuotaSettings {
  readonly quotas: Ec2Quotas;
  readonly elbQuotas: ElbQuotas;
}

type Known = readonly [service: string, code: string, name: string, value: (settings: QuotaSettings) => number];

const KNOWN: readonly Known[] = [
  ['vpc', 'L-F678F1CE', 'VPCs per Region', ({ quotas }) => quotas.vpcs],
  ['vpc', 'L-FE5A380F', 'NAT gateways per Availability Zone', ({ quotas }) => quotas.natGatewaysPerZone],
  ['vpc', 'L-A4707A72', 'Internet gateways per Region', ({ quotas }) => quotas.internetGateways],
  ['ec2', 'L-0263D0A3', 'EC2-VPC Elastic IPs', ({ quotas }) => quotas.addresses],
  [
    'ec2',
    'L-1216C47A',
    'Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances',
    ({ quotas }) => quotas.vcpus,
  ],
  [
    'ec2',
    'L-34B43A08',
    'All Standard (A, C, D, H, I, M, R, T, Z) Spot Instance Requests',
    ({ quotas }) => quotas.spotInstances,
  ],
  [
    'elasticloadbalancing',
    'L-E9E9831D',
    'Classic Load Balancers per Region',
    ({ elbQuotas }) => elbQuotas.classicLoadBalancers,
  ],
  [
    'elasticloadbalancing',
    'L-69A177A2',
    'Network Load Balancers per Region',
    ({ elbQuotas }) => elbQuotas.networkLoadBalancers,
  ],
];

/** Answers with the quotas in the account's settings. */
export const serviceQuotasHandlers = (settings: QuotaSettings): Handlers<typeof sdk> => ({
  GetServiceQuota: ({ ServiceCode, QuotaCode }) => {
    const found = KNOWN.find(([service, code]) => service === ServiceCode && code === QuotaCode);
    if (!found)
      throw new AwsFault(
        'NoSuchResourceException',
        `The request failed because the specified service or quota does not exist.`,
      );
    const [, code, name, value] = found;
    return {
      Quota: {
        ServiceCode,
        QuotaCode: code,
        QuotaName: name,
        Value: value(settings),
        Unit: 'None',
        Adjustable: true,
        GlobalQuota: false,
      },
    };
  },
});
