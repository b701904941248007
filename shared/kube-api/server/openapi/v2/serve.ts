import { createHash } from 'node:crypto';
import { StatusError } from '../../../status-error.ts';
import { isKnown } from '../../not-modified.ts';
import { legacyDocument, type Part } from './document.ts';
import { encodeDocument } from './encode.ts';

/** Old clients name the type with an `@`, which is not allowed in a media type; new ones with a dot. */
const PROTOBUF = /^application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf$/;
const ANSWERED_AS = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

interface Encoded {
  type: string;
  body: Uint8Array<ArrayBuffer>;
  etag: string;
}

const encoded = (type: string, bytes: Uint8Array): Encoded => ({
  type,
  body: new Uint8Array(bytes),
  etag: `"${createHash('sha256').update(bytes).digest('hex').toUpperCase()}"`,
});

/** The first form in an `Accept` header that can be written. Throws a StatusError 406 if there is none. */
const formOf = (accept: string | null): 'json' | 'protobuf' => {
  for (const clause of (accept || '*/*').split(',')) {
    const type = clause.split(';')[0]?.trim().toLowerCase() ?? '';
    if (PROTOBUF.test(type)) return 'protobuf';
    if (JSON_TYPES.has(type)) return 'json';
  }
  const message = `only the following media types are accepted: application/json, ${ANSWERED_AS}`;
  throw new StatusError(406, 'NotAcceptable', message);
};

/**
 * Answers /openapi/v2. The document is created from `parts` at its first use, and then cached in each requested form.
 */
export const createLegacyOpenApi = (parts: () => readonly Part[], version: string) => {
  const forms: { json?: Encoded; protobuf?: Encoded } = {};
  const make = {
    json: () => encoded('application/json', Buffer.from(JSON.stringify(legacyDocument(parts(), version)))),
    protobuf: () => encoded(ANSWERED_AS, encodeDocument(legacyDocument(parts(), version))),
  };
  return (headers: Headers): Response => {
    const form = formOf(headers.get('accept'));
    forms[form] ??= make[form]();
    const { type, body, etag } = forms[form];
    const common = { etag, vary: 'Accept', 'cache-control': 'no-cache, private' };
    if (isKnown(headers, etag)) return new Response(null, { status: 304, headers: common });
    return new Response(body, { headers: { ...common, 'content-type': type } });
  };
};
