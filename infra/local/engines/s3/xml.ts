import type { WireResponse } from '../wire/call.ts';
import type { AwsFault } from '../wire/fault.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replaceAll(/&(#x?[0-9a-fA-F]+|\w+);/g, (_all, entity: string) => {
    if (!entity.startsWith('#')) return ENTITIES[entity] ?? '';
    const code = entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return String.fromCodePoint(code);
  });

/** The texts of all elements with a name, in a document in which such elements are not nested. */
export const textsOf = (document: string, element: string): string[] =>
  [...document.matchAll(new RegExp(`<${element}(?:\\s[^>]*)?>([\\s\\S]*?)</${element}>`, 'g'))].map(([, text = '']) =>
    unescaped(text),
  );

export const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`;

const HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n';

export const xmlResponse = (body: string, status = 200): WireResponse => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: HEADER + body,
});

/** An error as S3 reports it. */
export const xmlFault = ({ code, message, status }: AwsFault, requestId: string): WireResponse =>
  xmlResponse(
    `<Error>${element('Code', code)}${element('Message', message)}${element('RequestId', requestId)}</Error>`,
    status,
  );
