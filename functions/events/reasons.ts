import { warning } from '../../shared/events/catalogue.ts';
import type { Notice } from '../../shared/plan/instance-events/notice.ts';
import { STATE_REASONS } from '../drift/reasons.ts';

const NOTICE_REASONS = {
  SpotInterruption: warning({ Machine: 'Its spot instance is about to be interrupted.' }),
  ScheduledMaintenance: warning({ Machine: 'EC2 announced maintenance of its instance.' }),
  RebalanceRecommendation: warning({ Machine: 'Its spot instance has a higher risk of interruption.' }),
  Drift: warning({ Machine: 'It will be replaced, because its instance or its Node was changed.' }),
} satisfies Record<Notice['reason'], unknown>;

/** The reasons of events that are recorded when the cloud reports a change of an instance. */
export const INSTANCE_EVENT_REASONS = {
  ...STATE_REASONS,
  ...NOTICE_REASONS,
  ObjectNotHandled: warning({ Cluster: 'One of its objects prevented an event about an instance from being handled.' }),
};
