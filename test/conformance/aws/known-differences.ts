import type { KnownDifference } from './compare.ts';
import type { EmulatorName } from './emulator.ts';

const MATCHER: readonly KnownDifference[] = [
  {
    only: 'ours',
    lines: /^target group check=HTTPS 6443 \/readyz 200-399$/,
    because: 'the reference of Matcher gives 200-399 as the default of network load balancers',
  },
  {
    only: 'theirs',
    lines: /^target group check=HTTPS 6443 \/readyz 200$/,
    because: 'that is the default of application load balancers',
  },
];

export const KNOWN_DIFFERENCES: Readonly<Record<EmulatorName, readonly KnownDifference[]>> = {
  moto: [
    ...MATCHER,
    {
      only: 'ours',
      lines: /^security group default in -1 from default$/,
      because: 'moto does not give the default group of a VPC the rule that admits its members',
    },
    {
      only: 'ours',
      lines: /^load balancer attribute (access_logs|dns_record|ipv6|secondary_ips|zonal_shift)\./,
      because: 'moto has fewer attributes of network load balancers',
    },
    {
      only: 'ours',
      lines:
        /^target group attribute (deregistration_delay\.connection_termination|proxy_protocol_v2|target_group_health)\./,
      because: 'moto gives every target group the attributes of application load balancers',
    },
    {
      only: 'theirs',
      lines: /^target group attribute (load_balancing|slow_start|waf)\./,
      because: 'moto gives every target group the attributes of application load balancers',
    },
  ],
  ministack: [
    ...MATCHER,
    {
      only: 'ours',
      lines: /^security group default in -1 from default$/,
      because: 'ministack does not give the default group of a VPC the rule that admits its members',
    },
    {
      only: 'ours',
      lines: /^security group quickstart-apiserver-lb in tcp 6443-6443 from an address/,
      because:
        'ministack does not return the public address of a NAT gateway, which the group of the API server admits',
    },
    {
      only: 'ours',
      lines: /^instance of (workers|the control plane) (public|tokens|hops|zone)=/,
      because:
        'ministack ignores metadata options and public addresses of a launch, and puts all instances into one zone',
    },
    {
      only: 'theirs',
      lines: /^instance of (workers|the control plane) (public|tokens|hops)=/,
      because: 'the same',
    },
    {
      only: 'ours',
      lines: /^volume instance of (workers|the control plane) (size|encrypted|tag)/,
      because: 'ministack ignores the volumes and their tags in a launch',
    },
    {
      only: 'theirs',
      lines: /^volume instance of (workers|the control plane) (size|encrypted)=/,
      because: 'the same',
    },
    {
      only: 'ours',
      lines: /^load balancer zones=/,
      because: 'ministack puts every subnet of a load balancer into one zone',
    },
    { only: 'theirs', lines: /^load balancer zones=/, because: 'the same' },
    {
      only: 'ours',
      lines: /^(load balancer|target group) attribute /,
      because: 'ministack gives all load balancers and target groups the attributes of application load balancers',
    },
    { only: 'theirs', lines: /^(load balancer|target group) attribute /, because: 'the same' },
  ],
};

/** Resources of a deleted cluster that an emulator does not delete, by id. */
export const KNOWN_REMAINS: Readonly<Record<EmulatorName, { ids: RegExp; what: string } | undefined>> = {
  moto: undefined,
  ministack: { ids: /^vol-/, what: 'The volumes of terminated instances' },
};

/** Calls in a cluster's lifecycle that an emulator does not support and that a cluster does not depend on. */
export const KNOWN_ERRORS: Readonly<Record<EmulatorName, readonly { error: string; gap: string; instead: string }[]>> =
  {
    moto: [],
    ministack: [
      {
        error: 'DescribeInstanceTypeOfferings InvalidAction',
        gap: 'Show which zones offer an instance type (DescribeInstanceTypeOfferings does not exist)',
        instead: 'Nothing: the check before the first create proceeds without the answer',
      },
    ],
  };
