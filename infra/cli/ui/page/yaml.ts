import { stringify } from 'yaml';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';

/** The same YAML as from kubectl, without managedFields. */
export const yamlOf = ({ apiVersion, kind, metadata, ...rest }: KubeObject): string => {
  const { managedFields: _, ...shown } = metadata as KubeObject['metadata'] & { managedFields?: unknown };
  return stringify({ apiVersion, kind, metadata: shown, ...rest }, { lineWidth: 0 });
};
