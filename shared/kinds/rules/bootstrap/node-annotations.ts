import { invalidValue } from '../../../kube-api/field-error.ts';
import { checkQualifiedName } from '../../../kube-api/names.ts';
import type { FieldError } from '../../../kube-api/resource.ts';

const MOST_BYTES = 32 * 1024;

/**
 * Errors in annotations that a configuration sets on a node. They are set on Machines and Nodes, and an API server
 * would refuse all changes of a Node with invalid ones.
 */
export const validateNodeAnnotations = (annotations: Readonly<Record<string, string>>, field: string): FieldError[] => {
  const bytes = Object.entries(annotations).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
  const detail = `may not be more than ${MOST_BYTES} bytes`;
  return [
    ...Object.keys(annotations).flatMap((key) =>
      checkQualifiedName(key.toLowerCase()).map((problem) => invalidValue(field, key, problem)),
    ),
    ...(bytes > MOST_BYTES ? [{ type: 'FieldValueTooLong', field, detail } as const] : []),
  ];
};
