import type { Driver } from '../driver.ts';
import type { ListenerAction } from './model.ts';
import { planListeners } from './plan.ts';

/** They are deleted with their load balancer. */
export const listeners = {
  plan: planListeners,
  operations: {
    CreateListener: {
      reason: 'CreateListener',
      call: (elb, action) => elb.createListener(action),
      tell: ({ port }) => `Created a listener on port ${port}`,
      drift: 'Listener',
      drifted: ({ port }) => `there is no listener on port ${port} any more`,
    },
    SetListener: {
      reason: 'ModifyListener',
      call: (elb, { arn, targetGroupArn }) => elb.setListener(arn, targetGroupArn),
      tell: ({ port }) => `Pointed the listener on port ${port} to its target group`,
      drift: 'Listener',
      drifted: ({ port }) => `the listener on port ${port} has another target group`,
    },
    DeleteListener: {
      reason: 'DeleteListener',
      call: (elb, { arn }) => elb.deleteListener(arn),
      tell: ({ port }) => `Deleted the listener on port ${port}`,
      drift: 'Listener',
      drifted: ({ port }) => `the listener on port ${port} is not in the spec`,
    },
  },
  cache: {
    reads: ['describeListeners'],
    updates: {
      createListener: (known, made, { loadBalancerArn }) => {
        known.forget('describeTargetGroupsOf');
        if (!made) return known.forget('describeListeners');
        known.update(
          'describeListeners',
          (arn) => (all) => (arn === loadBalancerArn ? [...all.filter((one) => one.arn !== made.arn), made] : all),
        );
      },
    },
  },
  rights: {
    reads: ['DescribeListeners'],
    creates: ['CreateListener'],
    changes: ['ModifyListener', 'DeleteListener'],
    types: ['listener'],
  },
} satisfies Driver<ListenerAction>;
