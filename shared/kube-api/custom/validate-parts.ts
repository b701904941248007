import { readFieldPath } from '../cel/field-path.ts';
import { invalidValue, required } from '../field-error.ts';
import { compileJsonPath } from '../json-path.ts';
import { checkDns1035Label } from '../names.ts';
import type { FieldError, OpenApiSchema, PrinterColumn } from '../resource.ts';
import type { CustomDefinition, DefinedVersion } from './definition.ts';

/** Rules for the parts of a definition beside its schemas (k8s.io/apiextensions-apiserver, validation.go). */

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MOST_SELECTABLE = 8;

const label = (field: string, value: string, prefix = ''): FieldError[] => {
  const faults = value === '' ? [] : checkDns1035Label(value);
  return faults.length === 0 ? [] : [invalidValue(field, value, `${prefix}${faults.join(',')}`)];
};

const MIXED = 'may have mixed case, but should otherwise match: ';

const kindLabel = (field: string, value: string): FieldError[] =>
  label(field, value.toLowerCase(), MIXED).map((error) => ({ ...error, badValue: value }));

export const validateNames = ({ spec: { names } }: CustomDefinition): FieldError[] => {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames = [], categories = [] } = names;
  const at = 'spec.names';
  const missing = Object.entries({ plural, singular, kind, listKind }).filter(([, name]) => name === '');
  return [
    ...missing.map(([name]) => required(`${at}.${name}`)),
    ...label(`${at}.plural`, plural),
    ...label(`${at}.singular`, singular),
    ...kindLabel(`${at}.kind`, kind),
    ...kindLabel(`${at}.listKind`, listKind),
    ...shortNames.flatMap((name, index) => label(`${at}.shortNames[${index}]`, name)),
    ...(kind !== '' && kind === listKind
      ? [invalidValue(`${at}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...categories.flatMap((name, index) => label(`${at}.categories[${index}]`, name)),
  ];
};

const faultOfForm = (path: string): string | undefined =>
  path.startsWith('.') ? undefined : 'must be a simple json path starting with .';

const faultOfPath = (path: string): string | undefined => {
  const fault = faultOfForm(path);
  if (fault !== undefined) return fault;
  try {
    compileJsonPath(path);
    return undefined;
  } catch (error) {
    if (error instanceof Error) return `must be a JSON path that this server can read: ${error.message}`;
    throw error;
  }
};

const validatePath = (field: string, path: string, findFault = faultOfPath): FieldError[] => {
  const fault = findFault(path);
  return fault === undefined ? [] : [invalidValue(field, path, fault)];
};

export const validateColumn = (
  { name = '', type, format = '', jsonPath = '' }: Partial<PrinterColumn>,
  at: string,
): FieldError[] => {
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  const formats = `must be one of ${COLUMN_FORMATS.join(',')}`;
  return [
    ...(name === '' ? [required(`${at}.name`)] : []),
    ...(type === undefined ? [required(`${at}.type`, types)] : []),
    ...(type !== undefined && !COLUMN_TYPES.includes(type) ? [invalidValue(`${at}.type`, type, types)] : []),
    ...(format !== '' && !COLUMN_FORMATS.includes(format) ? [invalidValue(`${at}.format`, format, formats)] : []),
    // A path that cannot be read leaves the cells of its column empty.
    ...(jsonPath === '' ? [required(`${at}.JSONPath`)] : validatePath(`${at}.JSONPath`, jsonPath, faultOfForm)),
  ];
};

const scalePath = (field: string, path: string, roots: readonly string[], why: string): FieldError[] => {
  const faults = validatePath(field, path);
  if (faults.length > 0) return faults;
  return roots.some((root) => path.startsWith(root)) ? [] : [invalidValue(field, path, why)];
};

export const validateSubresources = ({ subresources }: DefinedVersion, at: string): FieldError[] => {
  const scale = subresources?.scale;
  if (!scale) return [];
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  const paths = [
    ['specReplicasPath', specReplicasPath, '.spec.', 'should be a json path under .spec'],
    ['statusReplicasPath', statusReplicasPath, '.status.', 'should be a json path under .status'],
  ] as const;
  const selector = `${at}.scale.labelSelectorPath`;
  const either = 'should be a json path under either .spec or .status';
  return [
    ...paths.flatMap(([name, path, root, why]) =>
      path === '' ? [required(`${at}.scale.${name}`)] : scalePath(`${at}.scale.${name}`, path, [root], why),
    ),
    ...(labelSelectorPath === '' ? [] : scalePath(selector, labelSelectorPath, ['.spec.', '.status.'], either)),
  ];
};

const SELECTABLE = ['string', 'boolean', 'integer'];

/** `path`: in the form for messages, if it leads to a selectable field. */
const readSelectable = (
  jsonPath: string,
  schema: OpenApiSchema,
  at: string,
): { path?: string; errors: FieldError[] } => {
  if (jsonPath === '') return { errors: [required(at)] };
  const read = readFieldPath(jsonPath, schema);
  if ('fault' in read) return { errors: [invalidValue(at, jsonPath, `is an invalid path: ${read.fault}`)] };
  const { path, schema: found } = read;
  const type =
    'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
  return {
    path,
    errors: [
      ...(/^metadata(\.|\[|$)/.test(path) ? [invalidValue(at, jsonPath, 'must not point to fields in metadata')] : []),
      ...(SELECTABLE.includes(found.type ?? '') ? [] : [invalidValue(at, jsonPath, type)]),
    ],
  };
};

export const validateSelectable = (version: DefinedVersion, at: string): FieldError[] => {
  const schema = version.schema?.openAPIV3Schema;
  if (!schema) return [];
  const seen = new Set<string>();
  const errors = (version.selectableFields ?? []).flatMap(({ jsonPath = '' }, index): FieldError[] => {
    const field = `${at}[${index}].jsonPath`;
    const { path, errors: faults } = readSelectable(jsonPath, schema, field);
    if (path === undefined) return faults;
    const isRepeated = seen.has(path);
    seen.add(path);
    return isRepeated ? [...faults, { type: 'FieldValueDuplicate', field, badValue: jsonPath, detail: '' }] : faults;
  });
  if (seen.size <= MOST_SELECTABLE) return errors;
  const detail = `must have at most ${MOST_SELECTABLE} items`;
  return [...errors, { type: 'FieldValueTooMany', field: at, badValue: seen.size, detail }];
};

const LONGEST_WARNING = 256;

const faultsOfWarning = ({ deprecated, deprecationWarning }: DefinedVersion): string[] => {
  if (deprecationWarning === undefined) return [];
  if (!deprecated) return ['can only be set for deprecated versions'];
  const unprintable = deprecationWarning.search(/[^\P{C}]|[\u2028\u2029]/u);
  const why = `must only contain printable UTF-8 characters; non-printable character found at index ${unprintable}`;
  return [
    ...(Buffer.byteLength(deprecationWarning) > LONGEST_WARNING ? ['must be <= 256 characters long'] : []),
    ...(deprecationWarning === '' ? ['must not be an empty string'] : []),
    ...(unprintable < 0 ? [] : [why]),
  ];
};

export const validateWarning = (version: DefinedVersion, at: string): FieldError[] =>
  faultsOfWarning(version).map((fault) =>
    invalidValue(`${at}.deprecationWarning`, version.deprecationWarning ?? '', fault),
  );
