import type { KubeObject } from '../object.ts';
import { ADMISSION_GROUP } from '../webhooks/configuration.ts';
import type { Form } from '../webhooks/form.ts';
import { type Asked, selectsShown } from '../webhooks/invocation.ts';
import { matchedForm, selectsNamespace } from '../webhooks/match.ts';
import type { MatchResources } from './policy.ts';

/**
 * The form in which a request is validated where a policy or a binding matches it (k8s.io/apiserver, policy/matching):
 * without rules that of the request. Everything is matched where nothing is said. Undefined where it does not match.
 */
export const formOf = async (
  match: MatchResources | undefined,
  asked: Asked,
  object: KubeObject | undefined,
): Promise<Form | undefined> => {
  const { forms, subject, attempt, ports } = asked;
  const { namespaceSelector, objectSelector, resourceRules = [], excludeResourceRules = [], matchPolicy } = match ?? {};
  const [requested] = forms;
  if (subject.resource.group === ADMISSION_GROUP) return undefined;
  const matches = (rules: typeof resourceRules) =>
    matchedForm({ rules, ...(matchPolicy ? { matchPolicy } : {}) }, forms, subject);
  const form = resourceRules.length === 0 ? requested : matches(resourceRules);
  if (!form || matches(excludeResourceRules)) return undefined;
  if (!(await selectsShown(objectSelector, object, asked))) return undefined;
  const labels = () => ports.namespaceLabels(attempt.namespace);
  return (await selectsNamespace(namespaceSelector, subject, object ?? attempt.old, labels)) ? form : undefined;
};
