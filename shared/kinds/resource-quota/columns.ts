import type { KubeObject } from '../../kube-api/object.ts';
import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, textColumn } from '../schema/columns.ts';
import type { ResourceQuota } from './schema.ts';

/** `used/hard` for each name, as shown by `kubectl get quota` (printResourceQuota in upstream's internalversion). */
const usage =
  (ofLimits: boolean) =>
  (object: KubeObject): string => {
    const { hard = {}, used = {} } = (object as ResourceQuota).status ?? {};
    return Object.keys(hard)
      .filter((name) => name.startsWith('limits') === ofLimits)
      .sort()
      .map((name) => `${name}: ${used[name] ?? 0}/${hard[name]}`)
      .join(', ');
  };

export const resourceQuotaColumns: readonly PrinterColumn[] = [
  { ...textColumn('Request', '.status.used', 'What is used of what is allowed'), value: usage(false) },
  { ...textColumn('Limit', '.status.hard', 'The same of limits of containers'), value: usage(true) },
  ageColumn('ResourceQuota'),
];
