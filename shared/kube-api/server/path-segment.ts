const ENCODED = /^(?:[^%]|%[0-9a-f]{2})*$/i;

/**
 * The decoded segment of a path. Bytes that are not UTF-8 are read as U+FFFD, which no name contains; undefined if a
 * percent sign encodes nothing.
 */
export const decodeSegment = (segment: string): string | undefined => {
  // As nearly all are.
  if (!segment.includes('%')) return segment;
  if (!ENCODED.test(segment)) return undefined;
  const bytes = segment.replace(/%([0-9a-f]{2})|[^%]/gi, (part, hex: string | undefined) =>
    hex === undefined ? Buffer.from(part).toString('latin1') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
};

/** A decoded segment; one with a percent sign that encodes nothing, as no object is named, stays as it is. */
export const decodeOrKeep = (segment: string): string => decodeSegment(segment) ?? segment;
