import { isDeepStrictEqual } from 'node:util';
import { forbiddenField, invalidValue, required } from '../field-error.ts';
import { checkDns1035Label, checkSubdomain } from '../names.ts';
import type { FieldError, OpenApiSchema } from '../resource.ts';
import { Work } from '../work.ts';
import { validateConversion } from './conversion/validate.ts';
import { type CustomDefinition, type DefinedVersion, isEstablished } from './definition.ts';
import { validateExpressions } from './expressions.ts';
import { validateOpenApi } from './open-api-rules.ts';
import { validateDefaults } from './schema-defaults.ts';
import { validateStructural } from './structural.ts';
import {
  validateColumn,
  validateNames,
  validateSelectable,
  validateSubresources,
  validateWarning,
} from './validate-parts.ts';

const SCOPES = ['Cluster', 'Namespaced'];

const validateGroup = (group: string): FieldError[] => {
  const field = 'spec.group';
  if (group === '') return [required(field)];
  const faults = checkSubdomain(group);
  if (faults.length > 0) return [invalidValue(field, group, faults.join(','))];
  return group.includes('.') ? [] : [invalidValue(field, group, 'should be a domain with at least one dot')];
};

const validateScope = (scope: string): FieldError[] => {
  if (scope === '') return [required('spec.scope')];
  if (SCOPES.includes(scope)) return [];
  const detail = `supported values: ${SCOPES.map((value) => JSON.stringify(value)).join(', ')}`;
  return [{ type: 'FieldValueNotSupported', field: 'spec.scope', badValue: scope, detail }];
};

/** If status is a subresource, its schema is removed from the root, where only these members are allowed. */
const AT_ROOT: readonly string[] = [
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems',
  'MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations',
].flatMap((names) => names.split(' '));

const memberName = (name: string): string =>
  name.replace(/^x-kubernetes/, 'x').replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

const validateRoot = (schema: OpenApiSchema, hasStatus: boolean, field: string): FieldError[] => {
  const nullable = schema.nullable ? [forbiddenField(`${field}.nullable`, 'nullable cannot be true at the root')] : [];
  if (!hasStatus) return nullable;
  if (schema.type !== 'object') {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalidValue(`${field}.type`, schema.type ?? '', why), ...nullable];
  }
  const isForbidden = Object.entries(schema).some(([name, value]) => value && !AT_ROOT.includes(memberName(name)));
  const why = `only [${AT_ROOT.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [...(isForbidden ? [invalidValue(field, undefined, why)] : []), ...nullable];
};

const validateSchemaOf = ({ schema, subresources }: DefinedVersion, field: string, work: Work): FieldError[] => {
  const root = schema?.openAPIV3Schema;
  if (!root) return [];
  const structural = validateStructural(root, field);
  const defaults = structural.length > 0 ? [] : validateDefaults(root, field, work);
  const openApi = validateOpenApi(root, field);
  const errors = [
    ...validateRoot(root, subresources?.status !== undefined, field),
    ...structural,
    ...defaults,
    ...openApi,
  ];
  // What expressions are about is known once the schema is right.
  return errors.length > 0 ? errors : validateExpressions(root, field);
};

/** Whether all versions say the same: upstream keeps it in the place for all of them, which its errors name. */
const isShared = <T>(
  versions: readonly DefinedVersion[],
  part: (version: DefinedVersion) => T | undefined,
): boolean => {
  const [first, ...others] = versions.map(part);
  return first !== undefined && others.every((other) => isDeepStrictEqual(other, first));
};

const validateVersion = (
  version: DefinedVersion,
  at: string,
  shared: readonly DefinedVersion[],
  work: Work,
): FieldError[] => {
  const isFirst = shared[0] === version;
  const once = (part: (version: DefinedVersion) => unknown, top: string, own: string): string | undefined => {
    if (!isShared(shared, part)) return `${at}.${own}`;
    return isFirst ? `spec.${top}` : undefined;
  };
  const columns = version.additionalPrinterColumns ?? [];
  const places = {
    schema: once(({ schema }) => schema, 'validation.openAPIV3Schema', 'schema.openAPIV3Schema'),
    subresources: once(({ subresources }) => subresources, 'subresources', 'subresources'),
    columns: once(
      ({ additionalPrinterColumns }) => additionalPrinterColumns,
      'additionalPrinterColumns',
      'additionalPrinterColumns',
    ),
    selectable: once(({ selectableFields }) => selectableFields, 'selectableFields', 'selectableFields'),
  };
  const { schema, subresources, columns: ofColumns, selectable } = places;
  return [
    ...validateWarning(version, at),
    ...(schema === undefined ? [] : validateSchemaOf(version, schema, work)),
    ...(subresources === undefined ? [] : validateSubresources(version, subresources)),
    ...(ofColumns === undefined
      ? []
      : columns.flatMap((column, index) => validateColumn(column, `${ofColumns}[${index}]`))),
    ...(selectable === undefined ? [] : validateSelectable(version, selectable)),
  ];
};

const validateVersions = (versions: readonly DefinedVersion[]): FieldError[] => {
  const names = versions.map(({ name }) => name);
  const at = (index: number): string => `spec.versions[${index}]`;
  const count = versions.filter(({ storage }) => storage).length;
  const work = new Work();
  // Upstream shows all versions by the names of its Go types.
  const whole = (why: string): FieldError => invalidValue('spec.versions', undefined, why);
  return [
    ...versions.flatMap(({ schema }, index) =>
      schema?.openAPIV3Schema ? [] : [required(`${at(index)}.schema.openAPIV3Schema`)],
    ),
    ...versions.flatMap(({ name = '' }, index) => {
      const faults = checkDns1035Label(name);
      return faults.length > 0 ? [invalidValue(`${at(index)}.name`, name, faults.join(','))] : [];
    }),
    ...(new Set(names).size === names.length ? [] : [whole('must contain unique version names')]),
    ...(count === 1 ? [] : [whole('must have exactly one version marked as storage version')]),
    ...versions.flatMap((version, index) => validateVersion(version, at(index), versions, work)),
  ];
};

const APPROVAL = 'api-approved.kubernetes.io';

/** Groups of the community's own need an approval, which is only an annotation. */
const validateApproval = ({ metadata, spec: { group } }: CustomDefinition): FieldError[] => {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return [];
  const annotation = metadata.annotations?.[APPROVAL] ?? '';
  const field = `metadata.annotations[${APPROVAL}]`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  const what = `protected groups must have approval annotation "${APPROVAL}"`;
  if (annotation === '') return [required(field, `${what}, ${see}`)];
  if (annotation.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(annotation)) return [];
  return [invalidValue(field, annotation, `${what} with either a URL or a reason starting with "unapproved", ${see}`)];
};

const validateStoredVersions = ({ spec, status }: CustomDefinition): FieldError[] => {
  const known = new Set(spec.versions.map(({ name }) => name));
  return (status?.storedVersions ?? []).flatMap((version, index) => {
    if (known.has(version)) return [];
    const why = `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
    return [invalidValue(`status.storedVersions[${index}]`, version, why)];
  });
};

/** What would make stored objects unreadable does not change. */
const validateChange = ({ spec }: CustomDefinition, old: CustomDefinition): FieldError[] => {
  const fixed = (field: string, is: unknown, was: unknown): FieldError[] =>
    is === was ? [] : [invalidValue(`spec.${field}`, is, 'field is immutable')];
  return [
    ...(isEstablished(old)
      ? [...fixed('scope', spec.scope, old.spec.scope), ...fixed('names.kind', spec.names.kind, old.spec.names.kind)]
      : []),
    ...fixed('group', spec.group, old.spec.group),
    ...fixed('names.plural', spec.names.plural, old.spec.names.plural),
  ];
};

/** Upstream's rules for CustomResourceDefinitions, with its messages. All errors, never only the first. Pure. */
export const validateDefinition = (definition: CustomDefinition, old: CustomDefinition | undefined): FieldError[] => {
  const { metadata, spec } = definition;
  const wanted = `${spec.names.plural ?? ''}.${spec.group}`;
  const preserves =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [
    ...(old || metadata.name === wanted
      ? []
      : [invalidValue('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group')]),
    ...validateGroup(spec.group),
    ...validateScope(spec.scope),
    ...validateVersions(spec.versions),
    ...validateNames(definition),
    ...validateConversion(definition, old),
    ...(old ? validateChange(definition, old) : []),
    ...validateStoredVersions(definition),
    ...validateApproval(definition),
    ...(spec.preserveUnknownFields ? [invalidValue('spec.preserveUnknownFields', true, preserves)] : []),
  ];
};
