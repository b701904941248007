/** One part of a multipart document. */
export interface MimePart {
  contentType: string;
  body: string;
}

/** Fixed, so that the same input gives the same user data; no part of ours has such a line. */
const BOUNDARY = '==windlass-user-data==';

/** A `multipart/mixed` document as cloud-init reads it. Lines end with LF, as in everything that cloud-init is given. */
export const mimeDocument = (parts: readonly MimePart[]): string => {
  const sections = parts.map(
    ({ contentType, body }) =>
      `--${BOUNDARY}\nContent-Type: ${contentType}; charset="utf-8"\nMIME-Version: 1.0\nContent-Transfer-Encoding: 8bit\n\n${body}\n`,
  );
  return `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${BOUNDARY}"\n\n${sections.join('')}--${BOUNDARY}--\n`;
};
