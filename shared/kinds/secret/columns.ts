import type { KubeObject } from '../../kube-api/object.ts';
import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, countColumn, textColumn } from '../schema/columns.ts';
import type { Secret } from './schema.ts';

const entries = (object: KubeObject): number => Object.keys((object as Secret).data ?? {}).length;

export const secretColumns: readonly PrinterColumn[] = [
  textColumn('Type', '.type', 'Type of the secret'),
  { ...countColumn('Data', '.data', 'Number of entries'), value: entries },
  ageColumn('Secret'),
];
