import type { ValidationRule } from '../resource.ts';

/** A rule as upstream shows it in errors, by the names of its Go type. */
export const shownRule = ({
  rule,
  message = '',
  messageExpression = '',
  reason,
  fieldPath = '',
  optionalOldSelf,
}: ValidationRule) => ({
  Rule: rule,
  Message: message,
  MessageExpression: messageExpression,
  Reason: reason ?? null,
  FieldPath: fieldPath,
  OptionalOldSelf: optionalOldSelf ?? null,
});
