import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, conditionColumn, pausedColumn } from '../schema/columns.ts';

export const extensionConfigColumns: readonly PrinterColumn[] = [
  pausedColumn,
  conditionColumn('Discovered', 'Discovered', 'Whether the handlers of the extension are known'),
  ageColumn('ExtensionConfig'),
];
