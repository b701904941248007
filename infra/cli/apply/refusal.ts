import type { Status } from '../../../shared/kube-api/status-error.ts';

/** kubectl's output for an object that the API found invalid: the fields, on separate lines if there are several. */
const invalid = ({ details, message }: Status): string => {
  const causes = (details?.causes ?? []).map(({ field, message: text }) => `${field}: ${text}`);
  const subject = `The ${details?.kind ?? 'object'} "${details?.name ?? ''}" is invalid: `;
  if (causes.length === 0) return `${subject}${message ?? ''}`;
  return causes.length === 1
    ? `${subject}${causes[0]}`
    : `${subject}\n${causes.map((cause) => `* ${cause}`).join('\n')}`;
};

/** A refusal of the API with kubectl's wording, including the paths of the fields. */
export const refusal = (file: string, status: Status): string => {
  if (status.reason === 'Invalid') return invalid(status);
  const reason = status.reason ? ` (${status.reason})` : '';
  return `Error from server${reason}: error when applying "${file}": ${status.message ?? ''}`;
};
