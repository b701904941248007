import { selects } from '../../../../kinds/rules/kubernetes/label-selector.ts';
import type { AllowedNamespaces } from '../../../../kinds/schema/aws-identity.ts';

type Selector = NonNullable<NonNullable<AllowedNamespaces>['selector']>;

/** If any value was given, even an empty list, it is not the empty object that means everything. */
const isAbsent = (selector: Selector | undefined): boolean =>
  selector?.matchLabels === undefined && selector?.matchExpressions === undefined;

const hasRequirement = ({ matchLabels = {}, matchExpressions = [] }: Selector): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length > 0;

/** Whether the rule for namespaces depends on their labels. */
export const asksForLabels = (allowed: AllowedNamespaces | undefined): boolean =>
  allowed?.selector !== undefined && hasRequirement(allowed.selector);

/**
 * Whether clusters in a namespace may use an identity, by the AWS provider's rules (pkg/cloud/scope/session.go).
 * Absent: none. An empty object: all. A list: the namespaces in it. A selector: namespaces with such labels. An empty
 * list or selector: none. `labels` are undefined if there is no such Namespace object, which no selector selects.
 */
export const mayUse = (
  allowed: AllowedNamespaces | undefined,
  namespace: string,
  labels: Record<string, string> | undefined,
): boolean => {
  if (!allowed) return false;
  const { list, selector } = allowed;
  if (!list && isAbsent(selector)) return true;
  if (list?.includes(namespace)) return true;
  return selector !== undefined && hasRequirement(selector) && labels !== undefined && selects(selector, labels);
};
