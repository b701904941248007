import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, conditionColumn, textColumn } from '../schema/columns.ts';

export const hostColumns: readonly PrinterColumn[] = [
  textColumn('Address', '.spec.address', 'Address of the host'),
  textColumn('Machine', '.status.claim.machine', 'HostMachine that has claimed the host'),
  conditionColumn('Reachable', 'Reachable', 'Whether the last connection to the host succeeded'),
  ageColumn('Host'),
];
