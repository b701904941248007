import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, textColumn } from '../schema/columns.ts';

export const namespaceColumns: readonly PrinterColumn[] = [
  textColumn('Status', '.status.phase', 'Phase of the namespace'),
  ageColumn('Namespace'),
];
