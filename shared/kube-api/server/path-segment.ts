const ENCODED = /^(?:[^%]|%[0-9a-f]{2})*$/i;

/**
 * A decoded path, or a segment of one. Bytes that are not UTF-8 are read as U+FFFD, which no name contains. Undefined
 * if a percent sign encodes nothing.
 */
export const decodePath = (path: string): string | undefined => {
  // Almost all paths have none.
  if (!path.includes('%')) return path;
  if (!ENCODED.test(path)) return undefined;
  const bytes = path.replace(/%([0-9a-f]{2})|[^%]/gi, (part, hex: string | undefined) =>
    hex === undefined ? Buffer.from(part).toString('latin1') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
};

/** The segments of a decoded path. Slashes at its ends are ignored, but an empty segment inside it names nothing. */
export const segmentsOf = (path: string): string[] => path.replace(/^\/+|\/+$/g, '').split('/');

/**
 * A decoded segment. One with a percent sign that encodes nothing is left unchanged, because no object has such a name.
 */
export const decodeOrKeep = (segment: string): string => decodePath(segment) ?? segment;
