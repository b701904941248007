import { StatusError } from '../status-error.ts';
import { pathsOf } from './field-set.ts';
import type { Manager } from './managers.ts';
import { describePath } from './path-element.ts';
import type { Conflict } from './settle.ts';

/** `"kubectl-client-side-apply" using cluster.x-k8s.io/v1beta2`: kubectl prints it in a table of its own. */
const describeManager = ({ name, operation, apiVersion, subresource }: Manager): string =>
  [
    JSON.stringify(name),
    ...(subresource === '' ? [] : [`with subresource ${JSON.stringify(subresource)}`]),
    ...(operation === 'Update' ? [`using ${apiVersion}`] : []),
  ].join(' ');

const summarize = (found: readonly { who: string; fields: string[] }[]): string => {
  const count = found.reduce((sum, { fields }) => sum + fields.length, 0);
  if (count === 1) return `1 conflict: conflict with ${found[0]?.who}: ${found[0]?.fields[0]}`;
  const lines = found.flatMap(({ who, fields }) => [`conflicts with ${who}:`, ...fields.map((field) => `- ${field}`)]);
  return `${count} conflicts: ${lines.join('\n')}`;
};

/** 409 with a cause for each field of each manager that an apply without `force` would have taken over. */
export const conflictError = (conflicts: readonly Conflict[]): StatusError => {
  const found = conflicts
    .map(({ manager, fields }) => ({ who: describeManager(manager), fields: pathsOf(fields).map(describePath) }))
    .sort((a, b) => (a.who < b.who ? -1 : 1));
  const causes = found.flatMap(({ who, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field })),
  );
  return new StatusError(409, 'Conflict', `Apply failed with ${summarize(found)}`, { causes });
};
