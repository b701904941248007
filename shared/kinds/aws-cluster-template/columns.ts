import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn } from '../schema/columns.ts';

export const awsClusterTemplateColumns: readonly PrinterColumn[] = [ageColumn('AWSClusterTemplate')];
