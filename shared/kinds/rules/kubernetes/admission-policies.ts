import { isDeepStrictEqual } from 'node:util';
import { invalidValue, required } from '../../../kube-api/field-error.ts';
import { checkDns1035Label, checkQualifiedName, checkSubdomain } from '../../../kube-api/names.ts';
import { type Compiled, compilerOf } from '../../../kube-api/policies/environment.ts';
import type {
  AdmissionPolicy,
  AuditAnnotation,
  ParamKind,
  PolicySpec,
  PolicyVariable,
  Validation,
} from '../../../kube-api/policies/policy.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import { oneOf } from './admission-rules.ts';
import { validateMatchConditions } from './match-conditions.ts';
import { defaultMatchResources, validateMatchResources } from './match-resources.ts';

/** Rules for admission policies, with upstream's messages (k8s.io/kubernetes, admissionregistration/validation). */

type Compiler = ReturnType<typeof compilerOf>;

const LABEL = 'may have mixed case, but should otherwise match: ';

const validateApiVersion = (apiVersion: string, at: string): FieldError[] => {
  if (apiVersion === '') return [required(at)];
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [invalidValue(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [group = '', version = ''] = parts.length === 2 ? parts : ['', apiVersion];
  const ofGroup = group === '' ? [] : checkSubdomain(group);
  const ofVersion = version === '' ? [] : checkDns1035Label(version);
  return [
    ...(ofGroup.length > 0 ? [invalidValue(at, group, ofGroup.join(','))] : []),
    ...(version === '' ? [invalidValue(at, apiVersion, 'version must be specified')] : []),
    ...(ofVersion.length > 0 ? [invalidValue(at, version, ofVersion.join(','))] : []),
  ];
};

const validateParamKind = ({ apiVersion = '', kind = '' }: ParamKind, at: string): FieldError[] => {
  const faults = kind === '' ? [] : checkDns1035Label(kind.toLowerCase());
  return [
    ...validateApiVersion(apiVersion, `${at}.apiVersion`),
    ...(kind === '' ? [required(`${at}.kind`)] : []),
    ...(faults.length > 0 ? [invalidValue(`${at}.kind`, kind, `${LABEL}${faults.join(',')}`)] : []),
  ];
};

const faultOf = (program: Compiled, expression: string, at: string): FieldError[] =>
  'fault' in program ? [invalidValue(at, expression, program.fault)] : [];

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const isIdentifier = (name: string): boolean => /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED.has(name);

const validateVariable = (
  { name = '', expression = '' }: PolicyVariable,
  at: string,
  compiler: Compiler,
): FieldError[] => {
  const ofName = isIdentifier(name) ? [] : [invalidValue(`${at}.name`, name, 'must be a valid CEL identifier')];
  return [
    ...(name.trim() === '' ? [required(`${at}.name`, 'name is not specified')] : ofName),
    ...(expression.trim() === ''
      ? [required(`${at}.expression`, 'expression is not specified')]
      : faultOf(compiler.variable(name, expression), expression, `${at}.expression`)),
  ];
};

const validateMessage = ({ message = '' }: Validation, at: string): FieldError[] => {
  if (message !== '' && message.trim() === '') {
    return [invalidValue(at, message, 'must be non-empty if specified')];
  }
  return /[\n\r]/.test(message.trim()) ? [invalidValue(at, message, 'must not contain line breaks')] : [];
};

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

const validateValidation = (validation: Validation, at: string, compiler: Compiler): FieldError[] => {
  const { expression = '', messageExpression = '', reason } = validation;
  const ofMessage = `${at}.messageExpression`;
  const empty = messageExpression !== '' && messageExpression.trim() === '';
  return [
    ...(expression.trim() === ''
      ? [required(`${at}.expression`, 'expression is not specified')]
      : faultOf(compiler.validation(expression), expression, `${at}.expression`)),
    ...(empty ? [invalidValue(ofMessage, messageExpression, 'must be non-empty if specified')] : []),
    ...(messageExpression.trim() === ''
      ? []
      : faultOf(compiler.message(messageExpression), messageExpression, ofMessage)),
    ...validateMessage(validation, `${at}.message`),
    ...oneOf(`${at}.reason`, reason, REASONS),
  ];
};

const LONGEST_EXPRESSION = 5 * 1024;
const MOST_ANNOTATIONS = 20;

const validateExpression = (expression: string, at: string, compiler: Compiler): FieldError[] => {
  const text = expression.trim();
  if (text === '') return [required(at, 'valueExpression is not specified')];
  if (text.length > LONGEST_EXPRESSION) return [required(at, `must not exceed ${LONGEST_EXPRESSION} bytes in length`)];
  return faultOf(compiler.annotation(text), expression, at);
};

const validateAnnotations = (
  annotations: readonly AuditAnnotation[],
  policy: string,
  at: string,
  compiler: Compiler,
): FieldError[] => {
  const keys = annotations.map(({ key }) => key);
  const tooMany = `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`;
  return [
    ...(annotations.length > MOST_ANNOTATIONS ? [invalidValue(at, annotations, tooMany)] : []),
    ...annotations.flatMap(({ key = '', valueExpression = '' }, index): FieldError[] => {
      const field = `${at}[${index}].key`;
      return [
        ...checkQualifiedName(`${policy}/${key}`).map((fault) => invalidValue(field, `${policy}/${key}`, fault)),
        ...validateExpression(valueExpression, `${at}[${index}].valueExpression`, compiler),
        ...(keys.indexOf(key) < index
          ? [{ type: 'FieldValueDuplicate', field, badValue: key, detail: '' } as const]
          : []),
      ];
    }),
  ];
};

const EITHER = 'validations or auditAnnotations must contain at least one item';

const validateSpec = (spec: PolicySpec, name: string, ignoreConditions: boolean): FieldError[] => {
  const { paramKind, matchConstraints, validations = [], auditAnnotations = [], variables = [] } = spec;
  const compiler = compilerOf(spec);
  const isEmpty = validations.length === 0 && auditAnnotations.length === 0;
  return [
    ...oneOf('spec.failurePolicy', spec.failurePolicy, ['Fail', 'Ignore']),
    ...(paramKind ? validateParamKind(paramKind, 'spec.paramKind') : []),
    ...(matchConstraints
      ? validateMatchResources(matchConstraints, 'spec.matchConstraints')
      : [required('spec.matchConstraints')]),
    ...(matchConstraints && !matchConstraints.resourceRules?.length
      ? [required('spec.matchConstraints.resourceRules')]
      : []),
    ...(ignoreConditions
      ? []
      : validateMatchConditions(spec.matchConditions ?? [], 'spec.matchConditions', compiler.matchCondition)),
    ...variables.flatMap((variable, index) => validateVariable(variable, `spec.variables[${index}]`, compiler)),
    ...(isEmpty ? [required('spec.validations', EITHER), required('spec.auditAnnotations', EITHER)] : []),
    ...validations.flatMap((one, index) => validateValidation(one, `spec.validations[${index}]`, compiler)),
    ...validateAnnotations(auditAnnotations, name, 'spec.auditAnnotations', compiler),
  ];
};

/** All errors of a policy. Pure. */
export const validatePolicy = ({ metadata, spec }: AdmissionPolicy, old: AdmissionPolicy | undefined): FieldError[] => {
  const isSame = (part: (of: PolicySpec) => unknown) =>
    old !== undefined && isDeepStrictEqual(part(spec), part(old.spec));
  const ignoreConditions = isSame(({ paramKind }) => paramKind) && isSame(({ matchConditions }) => matchConditions);
  return validateSpec(spec, metadata.name, ignoreConditions);
};

/** Sets upstream's defaults in a policy. Pure. */
export const defaultPolicy = (policy: AdmissionPolicy): AdmissionPolicy => {
  const spec = policy.spec ?? {};
  const { matchConstraints } = spec;
  return {
    ...policy,
    spec: {
      ...spec,
      failurePolicy: spec.failurePolicy ?? 'Fail',
      ...(matchConstraints ? { matchConstraints: defaultMatchResources(matchConstraints) } : {}),
    },
  };
};
