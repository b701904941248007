import type { PrinterColumn } from '../../kube-api/resource.ts';
import type { WebhookConfiguration } from '../../kube-api/webhooks/configuration.ts';
import { ageColumn, countColumn } from './columns.ts';

/** kubectl's columns for webhook configurations (k8s.io/kubernetes pkg/printers/internalversion). */
export const webhookColumns = (kind: string): readonly PrinterColumn[] => [
  {
    ...countColumn('Webhooks', '.webhooks', 'How many webhooks it has'),
    statedType: 'integer',
    value: (object) => ((object as WebhookConfiguration).webhooks ?? []).length,
  },
  ageColumn(kind),
];
