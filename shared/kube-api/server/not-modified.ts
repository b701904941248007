/**
 * Whether the client already has the content with this tag: one tag in its `If-None-Match`, weak or strong, or any.
 * Pure.
 */
export const isKnown = (headers: Headers, etag: string): boolean =>
  (headers.get('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
