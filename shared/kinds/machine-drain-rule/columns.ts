import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, textColumn } from '../schema/columns.ts';

export const machineDrainRuleColumns: readonly PrinterColumn[] = [
  textColumn('Behavior', '.spec.drain.behavior', 'What a drain does with the pods'),
  textColumn('Order', '.spec.drain.order', 'Pods of a lower order go first'),
  ageColumn('MachineDrainRule'),
];
