import { AwsFault } from '../wire/fault.ts';

const PAGE = 400;

/** One page of rows in the order of creation. The marker is the position of the last row. */
export const pageOf = <Row extends { readonly sequence: number }>(
  rows: readonly Row[],
  { PageSize = PAGE, Marker }: { PageSize?: number; Marker?: string },
): { readonly rows: Row[]; readonly nextMarker: string | undefined } => {
  if (PageSize < 1 || PageSize > PAGE) throw new AwsFault('ValidationError', `PageSize must be between 1 and ${PAGE}`);
  const after = Marker ? Number(Buffer.from(Marker, 'base64url').toString('utf8')) : 0;
  if (!Number.isSafeInteger(after)) throw new AwsFault('ValidationError', `The marker '${Marker}' is not valid`);
  const rest = rows.filter(({ sequence }) => sequence > after).sort((a, b) => a.sequence - b.sequence);
  const page = rest.slice(0, PageSize);
  const last = page.at(-1);
  const more = rest.length > page.length && last;
  return { rows: page, nextMarker: more ? Buffer.from(String(last.sequence)).toString('base64url') : undefined };
};
