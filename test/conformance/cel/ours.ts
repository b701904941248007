import { validateVariables } from '../../../shared/kinds/cluster-class/validate-variables.ts';
import type { VariableSchema } from '../../../shared/kinds/cluster-class/variable-schema.ts';
import { inlineDefinitions } from '../../../shared/kinds/cluster-class/variables/definitions.ts';
import {
  defaultTopologyVariables,
  validateTopologyVariables,
} from '../../../shared/kinds/cluster-class/variables/topology.ts';
import type { Program } from '../../../shared/kube-api/cel/compile.ts';
import { estimateCost } from '../../../shared/kube-api/cel/cost/estimate.ts';
import type { Declared } from '../../../shared/kube-api/cel/declare.ts';
import { compiledRules, judgeValue } from '../../../shared/kube-api/cel/rules.ts';
import { formatCauses } from '../../../shared/kube-api/field-error.ts';
import type { FieldError, OpenApiSchema } from '../../../shared/kube-api/resource.ts';
import type { Fault, Question, Verdict } from './judge.ts';

const NAME = 'v';

const faultsOf = (errors: readonly FieldError[]): Fault[] =>
  formatCauses(errors).map(({ reason, field = '', message }) => ({ type: reason, field, message }));

const costOf = (program: Program | { fault: string } | undefined, declared: Declared): string =>
  program && !('fault' in program) ? String(estimateCost(program.checked, declared)) : '0';

const rulesOf = (schema: OpenApiSchema): Verdict['rules'] => {
  const compiled = compiledRules(schema);
  if (!compiled) return [];
  return compiled.rules.map(({ program, message }) => ({
    isWrong: 'fault' in program,
    cost: costOf(program, compiled.declared),
    messageCost: costOf(message, compiled.declared),
  }));
};

const topologyOf = (value: unknown) => ({
  classRef: { name: 'c' },
  version: 'v1.35.0',
  variables: [{ name: NAME, value }],
});

const variableOf = (schema: VariableSchema) => ({ name: NAME, required: false, schema: { openAPIV3Schema: schema } });

const faultsOfCluster = ({ value, old }: Question, schema: VariableSchema): Fault[] => {
  const definitions = inlineDefinitions([variableOf(schema)]);
  const { value: topology, errors } = defaultTopologyVariables(topologyOf(value), definitions);
  const before = old === undefined ? undefined : topologyOf(old);
  return faultsOf([...errors, ...validateTopologyVariables(topology, before, definitions)]);
};

/** The verdict of Windlass's admission. */
export const judge = (question: Question): Verdict => {
  const schema = question.schema as VariableSchema;
  const ofClass = faultsOf(validateVariables([variableOf(schema)]));
  const cluster = faultsOfCluster(question, schema);
  const isRight = ofClass.length === 0 && cluster.length === 0;
  const spent = isRight ? (judgeValue(question.schema, question.value, question.old).spent ?? -1) : 0;
  return { class: ofClass, cluster, rules: rulesOf(question.schema), spent };
};
