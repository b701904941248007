import type { PrinterColumn } from '../../kube-api/resource.ts';
import { countColumn, textColumn } from '../schema/columns.ts';

/** As in upstream, without `Age`. */
export const awsMachinePoolColumns: readonly PrinterColumn[] = [
  textColumn('Ready', '.status.ready', 'Whether the Auto Scaling group is ready'),
  countColumn('Replicas', '.status.replicas', 'Instances that exist'),
  countColumn('MinSize', '.spec.minSize', 'The fewest instances'),
  countColumn('MaxSize', '.spec.maxSize', 'The most instances'),
  textColumn('LaunchTemplate ID', '.status.launchTemplateID', 'Launch template of the instances'),
];
