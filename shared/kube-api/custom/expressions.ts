import { type Cardinality, CostSum, cardinalityWithin, costsOfMessage, costsOfRule } from '../cel/cost/rule-costs.ts';
import type { Declared } from '../cel/declare.ts';
import { type CompiledRule, compiledRules } from '../cel/rules.ts';
import { shownRule } from '../cel/shown-rule.ts';
import { invalidValue } from '../field-error.ts';
import type { FieldError, OpenApiSchema } from '../resource.ts';
import { valueParts } from './schema-walk.ts';
import { withVisibleHead } from './typed-schema.ts';

interface Place {
  field: string;
  /** The field of the outermost schema whose values cannot be compared with earlier ones. */
  uncorrelated: string | undefined;
  cardinality: Cardinality;
}

const validateOldSelf = ({ rule, program }: CompiledRule, at: string, { uncorrelated }: Place): FieldError[] => {
  if ('fault' in program) return [];
  const unusable = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
  if (program.usesOldSelf) return uncorrelated === undefined ? [] : [invalidValue(`${at}.rule`, rule.rule, unusable)];
  if (rule.optionalOldSelf === undefined) return [];
  return [invalidValue(`${at}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule')];
};

const validateRule = (compiled: CompiledRule, declared: Declared, at: string, place: Place, sum: CostSum) => {
  const { rule, program, message } = compiled;
  const [ofRule, ofMessage] = [`${at}.rule`, `${at}.messageExpression`];
  if ('fault' in program) return [invalidValue(ofRule, shownRule(rule), program.fault)];
  return [
    ...costsOfRule(program, { declared, cardinality: place.cardinality, field: ofRule }, sum),
    ...(message && 'fault' in message ? [invalidValue(ofMessage, shownRule(rule), message.fault)] : []),
    ...(message && !('fault' in message) ? costsOfMessage(message, declared, ofMessage, sum) : []),
    ...validateOldSelf(compiled, at, place),
  ];
};

const validateHere = (schema: OpenApiSchema, place: Place, sum: CostSum): FieldError[] => {
  const compiled = compiledRules(schema);
  return (compiled?.rules ?? []).flatMap((rule, index) =>
    compiled
      ? validateRule(rule, compiled.declared, `${place.field}.x-kubernetes-validations[${index}]`, place, sum)
      : [],
  );
};

const visit = (schema: OpenApiSchema, place: Place, sum: CostSum): FieldError[] => {
  const { field, uncorrelated } = place;
  const { properties, items, additional } = valueParts(schema, field);
  const cardinality = cardinalityWithin(schema, place.cardinality);
  const isAtomic = schema['x-kubernetes-map-type'] === 'atomic';
  const ofMembers = uncorrelated ?? (isAtomic ? field : undefined);
  const ofItems = uncorrelated ?? (schema['x-kubernetes-list-type'] === 'map' ? undefined : field);
  return [
    ...properties.flatMap((part) =>
      visit(part.schema, { field: part.field, uncorrelated: ofMembers, cardinality }, sum),
    ),
    ...(additional ? visit(additional.schema, { field: additional.field, uncorrelated, cardinality }, sum) : []),
    ...(items ? visit(items.schema, { field: items.field, uncorrelated: ofItems, cardinality }, sum) : []),
    ...validateHere(schema, place, sum),
  ];
};

/**
 * The errors in the expressions of an otherwise valid schema: they do not compile, cost too much, or compare values
 * without an earlier one (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation). Pure.
 */
export const validateExpressions = (schema: OpenApiSchema, field: string): FieldError[] => {
  const sum = new CostSum('estimated rule cost total');
  const errors = visit(withVisibleHead(schema), { field, uncorrelated: undefined, cardinality: 1n }, sum);
  return [...errors, ...sum.errors(field)];
};
