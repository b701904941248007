import type { ValidationRule } from '../resource.ts';

/** A rule as upstream prints it in errors, with the field names of its Go type. */
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
