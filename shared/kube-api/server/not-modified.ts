/** Whether the client has what the tag names: one tag of its `If-None-Match`, weak or strong, or any. Pure. */
export const isKnown = (headers: Headers, etag: string): boolean =>
  (headers.get('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
