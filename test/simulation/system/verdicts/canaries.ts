/** The parts of actual secrets that must appear nowhere else, neither as they are nor as a part of base64. */
import { createPrivateKey } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { isGzip } from '../../../../shared/bootstrap/gzip.ts';

/** Enough that the same text does not appear by chance. */
const LENGTH = 24;
/** Shorter values, such as `cloud-config`, are words. */
const SHORTEST = 16;
const LINE = 64;

const KEY = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]+?)-----END [A-Z ]*PRIVATE KEY-----/g;
const FORMATS: Readonly<Record<string, 'pkcs1' | 'sec1'>> = { 'RSA ': 'pkcs1', 'EC ': 'sec1' };
/** Bootstrap tokens of kubeadm, whose first six characters are not secret, and tokens of RKE2. */
const TOKEN = /\b(?:[a-z0-9]{6}\.([a-z0-9]{16})|K10[0-9a-f]{64}::\w+:([0-9a-f]{32}))\b/g;
/** Kubeconfigs contain their key in base64. */
const ENCODED = /[A-Za-z0-9+/]{100,}={0,2}/g;
const PUBLIC = /-----BEGIN (CERTIFICATE|PUBLIC KEY)-----/;

/** The part of a PEM private key where the secret number is: others, such as the modulus, are also in certificates. */
const partOfKey = (format: string, body: string): string => {
  const text = body.replaceAll(/\s/g, '');
  const key = Buffer.from(text, 'base64');
  const { d = '' } = createPrivateKey({ key, format: 'der', type: FORMATS[format] ?? 'pkcs8' }).export({
    format: 'jwk',
  });
  const at = key.indexOf(Buffer.from(d, 'base64url'));
  if (at < 0) throw new Error('a private key does not contain its own secret number');
  const begin = Math.ceil(at / 3) * 4;
  // Lines are divided differently where the key is quoted in another text.
  const from = (begin % LINE) + LENGTH > LINE ? Math.ceil(begin / LINE) * LINE : begin;
  return text.slice(from, from + LENGTH);
};

const middleOf = (value: Buffer): string => {
  const from = Math.max(0, Math.floor((value.length - LENGTH) / 2));
  return value.subarray(from, from + LENGTH).toString('latin1');
};

const isOpaque = (text: string): boolean => text.length >= SHORTEST && !PUBLIC.test(text) && !/\s/.test(text.trim());

/** The characters that base64 of a text has if it contains `part` after `shift` other bytes. */
const inBase64 = (part: string, shift: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(part, 'latin1')]);
  const [from, to] = [Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  return bytes.toString('base64').slice(from, to);
};

const SHIFTS = [0, 1, 2];

const partsOfText = (text: string): string[] => {
  const keys = [...text.matchAll(KEY)].map(([, format = '', body = '']) => partOfKey(format, body));
  const tokens = [...text.matchAll(TOKEN)].flatMap(([, kubeadm, rke2]) => kubeadm ?? rke2 ?? []);
  const encoded = [...text.matchAll(ENCODED)].flatMap(([found]) => {
    const decoded = Buffer.from(found, 'base64').toString('latin1');
    const inner = decoded.includes('PRIVATE KEY') ? partsOfText(decoded) : [];
    // The encoded parts are parts of their own, because the text may be encoded again as a whole.
    const outer = inner.flatMap((part) => SHIFTS.map((shift) => inBase64(part, shift)));
    return [...inner, ...outer.filter((part) => found.includes(part))];
  });
  return [...keys, ...tokens, ...encoded];
};

/**
 * The secret parts of a value, one byte in each character: of its private keys and tokens, also of those in compressed
 * and encoded parts. A value of another form is secret itself, unless it is a short word or a text. Certificates and
 * public keys have none.
 */
export const secretParts = (value: string | Uint8Array): string[] => {
  const bytes = Buffer.from(value as Uint8Array);
  if (isGzip(bytes)) return [middleOf(bytes), ...secretParts(gunzipSync(bytes))];
  const text = bytes.toString('latin1');
  const parts = partsOfText(text);
  return parts.length === 0 && isOpaque(text) ? [middleOf(bytes)] : parts;
};

/** All texts that reveal a part of a secret: the part itself, and what base64 makes of it at any place of a text. */
export const formsOfPart = (part: string): string[] => [part, ...SHIFTS.map((shift) => inBase64(part, shift))];

export interface Canaries {
  /** From now on, no part of this value may appear in what is told. */
  learn(name: string, value: string | Uint8Array): void;
  /** A text that others than the owner of secrets can read, and the place where it is. */
  tell(where: string, text: string): void;
  /** The secrets in everything that was told, even before they were learned. Each is reported once. */
  found(): string[];
}

interface Told {
  where: string;
  text: string;
  /** The number of forms that are known not to be in the text. */
  checked: number;
}

export const makeCanaries = (): Canaries => {
  const values = new Set<string>();
  /** The names of the secrets, by the texts that reveal them. */
  const forms = new Map<string, string>();
  let told: Told[] = [];
  return {
    learn: (name, value) => {
      const key = Buffer.from(value as Uint8Array).toString('latin1');
      if (values.has(key)) return;
      values.add(key);
      for (const text of secretParts(value).flatMap(formsOfPart)) if (!forms.has(text)) forms.set(text, name);
    },
    tell: (where, text) => void told.push({ where, text, checked: 0 }),
    found: () => {
      const all = [...forms];
      const leaks = told.flatMap((one) => {
        const leak = all.slice(one.checked).find(([text]) => one.text.includes(text));
        one.checked = all.length;
        return leak === undefined ? [] : [{ one, breach: `a part of ${leak[1]} is in ${one.where}` }];
      });
      told = told.filter((one) => !leaks.some((leak) => leak.one === one));
      return leaks.map(({ breach }) => breach);
    },
  };
};
