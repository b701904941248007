import type { JsonObject } from '../../json.ts';
import type { ResourceDefinition } from '../../resource.ts';
import { DELETE_OPTIONS_SCHEMA, gvkOf, ref, SCALE, STATUS_SCHEMA, schemaName } from './schemas.ts';

/**
 * The declarations that kubectl checks: it validates on the server if PATCH of a kind declares `fieldValidation`, and
 * shows differences with `dryRun`.
 */

const parameter = (name: string, description: string, type = 'string'): JsonObject => ({
  name,
  in: 'query',
  description,
  schema: { type, uniqueItems: true },
});

const WRITE = [
  parameter('dryRun', "'All' runs every stage but the write."),
  parameter('fieldManager', 'Name of the actor that makes the change.'),
  parameter('fieldValidation', "What happens to unknown fields: 'Ignore', 'Warn' or 'Strict'."),
];
const PATCH = [...WRITE, parameter('force', 'Takes fields over from other managers in an apply.', 'boolean')];
const DELETE = [
  parameter('dryRun', "'All' runs every stage but the write."),
  parameter('propagationPolicy', "'Orphan', 'Background' or 'Foreground'."),
];
const LIST = [
  parameter('allowWatchBookmarks', 'Sends bookmarks in a watch.', 'boolean'),
  parameter('continue', 'Where the previous page ended.'),
  parameter('fieldSelector', 'Restricts by fields.'),
  parameter('labelSelector', 'Restricts by labels.'),
  parameter('limit', 'The most objects in a page.', 'integer'),
  parameter('resourceVersion', 'The version to start a watch at.'),
  parameter('resourceVersionMatch', 'How resourceVersion is meant.'),
  parameter('sendInitialEvents', 'Starts a watch with the objects that exist.', 'boolean'),
  parameter('timeoutSeconds', 'Ends a watch after this time.', 'integer'),
  parameter('watch', 'Streams changes in place of a list.', 'boolean'),
];

const JSON_ONLY = ['application/json', 'application/yaml'];

const content = (types: readonly string[], schema: JsonObject): JsonObject =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

interface Operation {
  action: string;
  method: string;
  answer: string;
  parameters: JsonObject[];
  body?: JsonObject;
  gvk: JsonObject;
}

const operation = ({ action, answer, parameters, body, gvk }: Operation): JsonObject => ({
  description: `${action} ${String(gvk.kind)}`,
  parameters,
  ...(body ? { requestBody: { content: body } } : {}),
  responses: { '200': { description: 'OK', content: content(JSON_ONLY, ref(answer)) } },
  'x-kubernetes-action': action,
  'x-kubernetes-group-version-kind': gvk,
});

const pathItem = (parameters: JsonObject[], operations: Operation[]): JsonObject => ({
  ...Object.fromEntries(operations.map((entry) => [entry.method, operation(entry)])),
  parameters,
});

const inPath = (name: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

/** The types of patches that a resource accepts; strategic merge for built-in kinds. */
const patchBody = ({ builtIn }: ResourceDefinition): JsonObject =>
  content(
    [
      'application/json-patch+json',
      'application/merge-patch+json',
      ...(builtIn ? ['application/strategic-merge-patch+json'] : []),
      'application/apply-patch+yaml',
    ],
    { type: 'object' },
  );

const readAndWrite = (resource: ResourceDefinition, answer: string, gvk: JsonObject): Operation[] => {
  const body = content(JSON_ONLY, ref(answer));
  return [
    { action: 'get', method: 'get', answer, parameters: [], gvk },
    { action: 'put', method: 'put', answer, parameters: WRITE, body, gvk },
    { action: 'patch', method: 'patch', answer, parameters: PATCH, body: patchBody(resource), gvk },
  ];
};

/** The paths of one resource, below `prefix` (`/apis/<group>/<version>`). */
export const resourcePaths = (resource: ResourceDefinition, prefix: string): Record<string, JsonObject> => {
  const name = schemaName(resource);
  const gvk = gvkOf(resource);
  const scope = resource.namespaced ? [inPath('namespace')] : [];
  const collection = `${prefix}${resource.namespaced ? '/namespaces/{namespace}' : ''}/${resource.plural}`;
  const one = `${collection}/{name}`;
  const list = { action: 'list', method: 'get', answer: `${name}List`, parameters: LIST, gvk };
  const removal = {
    method: 'delete',
    answer: STATUS_SCHEMA,
    body: content(JSON_ONLY, ref(DELETE_OPTIONS_SCHEMA)),
    gvk,
  };
  const part = (answer: string, kind: JsonObject): JsonObject =>
    pathItem([...scope, inPath('name')], readAndWrite(resource, answer, kind));
  return {
    [collection]: pathItem(scope, [
      list,
      { action: 'post', method: 'post', answer: name, parameters: WRITE, body: content(JSON_ONLY, ref(name)), gvk },
      { ...removal, action: 'deletecollection', parameters: [...DELETE, ...LIST] },
    ]),
    [one]: pathItem(
      [...scope, inPath('name')],
      [...readAndWrite(resource, name, gvk), { ...removal, action: 'delete', parameters: DELETE }],
    ),
    ...(resource.namespaced ? { [`${prefix}/${resource.plural}`]: pathItem([], [list]) } : {}),
    ...(resource.statusSubresource ? { [`${one}/status`]: part(name, gvk) } : {}),
    ...(resource.scale
      ? { [`${one}/scale`]: part(SCALE, { group: 'autoscaling', version: 'v1', kind: 'Scale' }) }
      : {}),
  };
};
