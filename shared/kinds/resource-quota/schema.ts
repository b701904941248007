import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { anyText, intOrString, list, mapOf, options } from '../schema/fields.ts';

/** resource.Quantity: a number, or a text such as `10` or `2k`. */
const quantities = mapOf(intOrString);

const scopeSelectorTerm = options({ scopeName: anyText, operator: anyText, values: list(anyText) });

const spec = options({
  hard: quantities,
  scopes: list(anyText),
  scopeSelector: options({ matchExpressions: list(scopeSelectorTerm) }),
});

export const resourceQuotaSchema = options({ spec, status: options({ hard: quantities, used: quantities }) });

/** core/v1 ResourceQuota. `status` is the usage at the time of the read. */
export interface ResourceQuota extends KubeObject, z.input<typeof resourceQuotaSchema> {}
