import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn } from '../schema/columns.ts';

export const awsMachineTemplateColumns: readonly PrinterColumn[] = [ageColumn('AWSMachineTemplate')];
