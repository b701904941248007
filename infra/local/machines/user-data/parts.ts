import { gunzipSync } from 'node:zlib';
import PostalMime from 'postal-mime';

/** One part of user data, as cloud-init sees it after decoding. */
export interface Part {
  /** The content type that cloud-init acts on, such as `text/cloud-config`. */
  type: string;
  content: string;
}

/** cloud-init recognizes a part without a specific content type by its first line. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^##\s*template:\s*jinja/i, 'text/jinja2'],
  [/^#cloud-config-archive/, 'text/cloud-config-archive'],
  [/^#cloud-config/, 'text/cloud-config'],
  [/^#cloud-boothook/, 'text/cloud-boothook'],
  [/^#include/, 'text/x-include-url'],
  [/^#part-handler/, 'text/part-handler'],
  [/^#!/, 'text/x-shellscript'],
  [/^\s*\{\s*"ignition"/, 'application/vnd.coreos.ignition+json'],
];

const UNTELLING_TYPES = new Set(['text/plain', 'text/html', 'text/x-not-multipart', 'application/octet-stream']);

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const inflate = (bytes: Uint8Array): Uint8Array => (isGzip(bytes) ? inflate(gunzipSync(bytes)) : bytes);

const signatureOf = (content: string): string | undefined =>
  SIGNATURES.find(([pattern]) => pattern.test(content.trimStart()))?.[1];

/** A template keeps its own type even in a part of the type text/cloud-config, as in cloud-init. */
const toPart = (declared: string, content: string): Part => {
  const signature = signatureOf(content);
  if (signature === 'text/jinja2' || UNTELLING_TYPES.has(declared)) {
    return { type: signature ?? 'text/x-not-multipart', content };
  }
  return { type: declared, content };
};

const isMultipart = (text: string): boolean =>
  /^content-type:\s*multipart\//im.test(text.split(/\r?\n\r?\n/, 1)[0] ?? '');

const splitMultipart = async (bytes: Uint8Array): Promise<Part[]> => {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer', forceRfc822Attachments: true });
  const attached = mail.attachments.map((attachment) => {
    const content = attachment.content as ArrayBuffer;
    return toPart(attachment.mimeType, Buffer.from(inflate(new Uint8Array(content))).toString('utf8'));
  });
  const inline = [mail.text, mail.html].filter((content) => content !== undefined && content.trim() !== '');
  return [...attached, ...inline.map((content) => toPart('text/plain', content ?? ''))];
};

/**
 * The parts of user data: gzip is decompressed, MIME multiparts are split, and parts without a specific type are
 * recognized by their first line. A part that cloud-init would ignore has the type `text/x-not-multipart`. Rejects if
 * the bytes are a damaged gzip stream.
 */
export const splitUserData = async (userData: Uint8Array): Promise<Part[]> => {
  const bytes = inflate(userData);
  const text = Buffer.from(bytes).toString('utf8');
  if (isMultipart(text)) return splitMultipart(bytes);
  return text.trim() === '' ? [] : [toPart('text/plain', text)];
};
