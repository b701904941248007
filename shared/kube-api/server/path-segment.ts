const ENCODED = /^(?:[^%]|%[0-9a-f]{2})*$/i;

/**
 * A decoded path, or a segment of one. Bytes that are not UTF-8 are read as U+FFFD, which no name contains; undefined if a
 * percent sign encodes nothing.
 */
export const decodePath = (path: string): string | undefined => {
  // As nearly all are.
  if (!path.includes('%')) return path;
  if (!ENCODED.test(path)) return undefined;
  const bytes = path.replace(/%([0-9a-f]{2})|[^%]/gi, (part, hex: string | undefined) =>
    hex === undefined ? Buffer.from(part).toString('latin1') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
};

/**
 * The segments of a decoded path. Slashes at its ends do not count, but an empty segment inside it does: it names
 * nothing.
 */
export const segmentsOf = (path: string): string[] => path.replace(/^\/+|\/+$/g, '').split('/');

/** A decoded segment; one with a percent sign that encodes nothing, as no object is named, stays as it is. */
export const decodeOrKeep = (segment: string): string => decodePath(segment) ?? segment;
