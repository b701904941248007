import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { decodedBytes, validateImmutable, validateKeys, validateSize } from '../rules/kubernetes/data.ts';
import type { ConfigMap } from './schema.ts';

const sum = (values: Record<string, string>, size: (value: string) => number): number =>
  Object.values(values).reduce((total, value) => total + size(value), 0);

/** Kubernetes' rules for config maps. */
export const validateConfigMap = (configMap: ConfigMap, old: ConfigMap | undefined): FieldError[] => {
  const { data = {}, binaryData = {} } = configMap;
  const twice = Object.keys(data).filter((key) => binaryData[key] !== undefined);
  const size = sum(data, (text) => Buffer.byteLength(text)) + sum(binaryData, decodedBytes);
  return [
    ...validateKeys(data, 'data'),
    ...validateKeys(binaryData, 'binaryData'),
    ...twice.map((key) => invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...validateSize(size, ''),
    ...validateImmutable(configMap, old, ['data', 'binaryData']),
  ];
};
