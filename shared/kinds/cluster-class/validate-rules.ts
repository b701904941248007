import { type Cardinality, type CostSum, costsOfMessage, costsOfRule } from '../../kube-api/cel/cost/rule-costs.ts';
import type { Declared } from '../../kube-api/cel/declare.ts';
import { readFieldPath } from '../../kube-api/cel/field-path.ts';
import { type CompiledRule, compiledRules } from '../../kube-api/cel/rules.ts';
import { shownRule } from '../../kube-api/cel/shown-rule.ts';
import { invalidValue, required } from '../../kube-api/field-error.ts';
import type { FieldError, OpenApiSchema, ValidationRule } from '../../kube-api/resource.ts';
import type { VariableSchema } from './variable-schema.ts';

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

const validateMessage = ({ rule, message = '' }: ValidationRule, field: string): FieldError[] => {
  const at = `${field}.message`;
  if (rule.trim() === '') return [required(`${field}.rule`, 'rule is not specified')];
  if (message !== '' && message.trim() === '')
    return [invalidValue(at, message, 'message must be non-empty if specified')];
  if (hasLineBreak(message.trim())) return [invalidValue(at, message, 'message must not contain line breaks')];
  return hasLineBreak(rule.trim()) && message === ''
    ? [required(at, 'message must be specified if rule contains line breaks')]
    : [];
};

const validateFieldPath = (schema: OpenApiSchema, { fieldPath }: ValidationRule, field: string): FieldError[] => {
  if (fieldPath === undefined || fieldPath === '') return [];
  const at = `${field}.fieldPath`;
  const read = readFieldPath(fieldPath, schema);
  return [
    ...(fieldPath.trim() === '' ? [invalidValue(at, fieldPath, 'fieldPath must be non-empty if specified')] : []),
    ...(hasLineBreak(fieldPath) ? [invalidValue(at, fieldPath, 'fieldPath must not contain line breaks')] : []),
    ...('fault' in read ? [invalidValue(at, fieldPath, `fieldPath must be a valid path: ${read.fault}`)] : []),
  ];
};

/** The errors in the texts of the rules, before their expressions are parsed. */
export const validateRuleTexts = (schema: VariableSchema, field: string): FieldError[] =>
  (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const at = `${field}.x-kubernetes-validations[${index}]`;
    const expression = rule.messageExpression ?? '';
    return [
      ...validateMessage(rule, at),
      ...(expression !== '' && expression.trim() === ''
        ? [required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified')]
        : []),
      ...validateFieldPath(schema as OpenApiSchema, rule, at),
    ];
  });

/** The location of a schema's rules. */
export interface RulePlace {
  field: string;
  /** The field of the list that contains the schema; its items cannot be compared with previous values. */
  uncorrelated: string | undefined;
  cardinality: Cardinality;
  sum: CostSum;
}

const faultsOf = ({ rule, program, message }: CompiledRule, declared: Declared, place: RulePlace): FieldError[] => {
  const { field, uncorrelated, cardinality, sum } = place;
  const [ofRule, ofMessage] = [`${field}.rule`, `${field}.messageExpression`];
  if ('fault' in program) return [invalidValue(ofRule, shownRule(rule), program.fault)];
  const unusable = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
  const comparesItems = uncorrelated !== undefined && program.usesOldSelf;
  return [
    ...costsOfRule(program, { declared, cardinality, field: ofRule }, sum),
    ...(message && 'fault' in message ? [invalidValue(ofMessage, shownRule(rule), message.fault)] : []),
    ...(message && !('fault' in message) ? costsOfMessage(message, declared, ofMessage, sum) : []),
    ...(comparesItems ? [invalidValue(ofRule, rule.rule, unusable)] : []),
  ];
};

/** The errors in the expressions of the rules (internal/topology/variables/clusterclass_variable_validation.go). */
export const rulesOf = (schema: VariableSchema, place: RulePlace): FieldError[] => {
  const compiled = compiledRules(schema as OpenApiSchema);
  return (compiled?.rules ?? []).flatMap((rule, index) => {
    const field = `${place.field}.x-kubernetes-validations[${index}]`;
    return compiled ? faultsOf(rule, compiled.declared, { ...place, field }) : [];
  });
};
