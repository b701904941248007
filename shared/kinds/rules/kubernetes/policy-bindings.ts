import { forbiddenField, invalidValue, required } from '../../../kube-api/field-error.ts';
import { checkSubdomain } from '../../../kube-api/names.ts';
import type { BindingSpec, ParamRef, PolicyBinding } from '../../../kube-api/policies/policy.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import { oneOf } from './admission-rules.ts';
import { checkSegment, defaultMatchResources, validateMatchResources } from './match-resources.ts';
import { validateSelectorFields } from './selector-fields.ts';

const EXCLUSIVE = 'name and selector are mutually exclusive';

const validateParamRef = ({ name = '', selector, parameterNotFoundAction }: ParamRef, at: string): FieldError[] => {
  const both = name !== '' && selector !== undefined;
  return [
    ...checkSegment(name).map((fault) => invalidValue(`${at}.name`, name, fault)),
    ...(both ? [forbiddenField(`${at}.name`, EXCLUSIVE)] : []),
    ...validateSelectorFields(selector, `${at}.selector`),
    ...(both ? [forbiddenField(`${at}.selector`, EXCLUSIVE)] : []),
    ...(name === '' && selector === undefined ? [required(at, 'one of name or selector must be specified')] : []),
    ...(parameterNotFoundAction ? [] : [required(`${at}.parameterNotFoundAction`)]),
    ...(parameterNotFoundAction
      ? oneOf(`${at}.parameterNotFoundAction`, parameterNotFoundAction, ['Deny', 'Allow'])
      : []),
  ];
};

const BOTH =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

const validateActions = (actions: readonly string[], at: string): FieldError[] => [
  ...actions.flatMap((action, index): FieldError[] => [
    ...oneOf(`${at}[${index}]`, action, ['Audit', 'Deny', 'Warn']),
    ...(actions.indexOf(action) < index
      ? [{ type: 'FieldValueDuplicate', field: `${at}[${index}]`, badValue: action, detail: '' } as const]
      : []),
  ]),
  ...(actions.includes('Deny') && actions.includes('Warn') ? [invalidValue(at, actions, BOTH)] : []),
  ...(actions.length === 0 ? [required(at, 'at least one validation action is required')] : []),
];

const validateName = (name: string, at: string): FieldError[] =>
  name === '' ? [required(at)] : checkSubdomain(name).map((fault) => invalidValue(at, name, fault));

/** All errors of a binding. Pure. */
export const validateBinding = ({ spec }: PolicyBinding): FieldError[] => {
  const { policyName = '', paramRef, matchResources, validationActions = [] }: BindingSpec = spec;
  return [
    ...validateName(policyName, 'spec.policyName'),
    ...(paramRef ? validateParamRef(paramRef, 'spec.paramRef') : []),
    ...(matchResources ? validateMatchResources(matchResources, 'spec.matchResources') : []),
    ...validateActions(validationActions, 'spec.validationActions'),
  ];
};

/** Sets upstream's defaults in a binding. Pure. */
export const defaultBinding = (binding: PolicyBinding): PolicyBinding => {
  const spec = binding.spec ?? {};
  return {
    ...binding,
    spec: { ...spec, ...(spec.matchResources ? { matchResources: defaultMatchResources(spec.matchResources) } : {}) },
  };
};
