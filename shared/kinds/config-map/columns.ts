import type { KubeObject } from '../../kube-api/object.ts';
import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, countColumn } from '../schema/columns.ts';
import type { ConfigMap } from './schema.ts';

const entries = (object: KubeObject): number => {
  const { data = {}, binaryData = {} } = object as ConfigMap;
  return Object.keys(data).length + Object.keys(binaryData).length;
};

export const configMapColumns: readonly PrinterColumn[] = [
  { ...countColumn('Data', '.data', 'Number of entries'), value: entries },
  ageColumn('ConfigMap'),
];
