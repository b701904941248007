import { generateKeyPairSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { formsOfPart, makeCanaries, secretParts } from './canaries.ts';

const TOKEN = 'abcdef.0123456789abcdef';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const KEYS = {
  'an EC key': generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'sec1' }),
  'a PKCS #8 key': generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    format: 'pem',
    type: 'pkcs8',
  }),
  'an RSA key': generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'pem', type: 'pkcs1' }),
};

const reports = (value: string | Uint8Array, text: string): string[] => {
  const canaries = makeCanaries();
  canaries.learn('the Secret', value);
  canaries.tell('the log', text);
  return canaries.found();
};

const FOUND = ['a part of the Secret is in the log'];

describe.each(Object.entries(KEYS))('%s', (_, key) => {
  const pem = String(key);

  it.each<[string, string, string]>([
    ['as it is', pem, pem],
    ['in JSON', pem, JSON.stringify({ pem })],
    ['with indented lines', pem, pem.replaceAll('\n', '\n    ')],
    ['in base64', pem, base64(pem)],
    ['one byte later in base64', pem, base64(`-${pem}`)],
    ['two bytes later in base64', pem, base64(`--${pem}`)],
    ['from a cloud-config', pem.replaceAll('\n', '\n    '), pem],
    ['from the Secret of a kubeconfig', `client-key-data: ${base64(pem)}`, pem],
    ['in the base64 of a kubeconfig', `client-key-data: ${base64(pem)}`, base64(`client-key-data: ${base64(pem)}`)],
  ])('is found %s', (_how, value, text) => {
    expect(reports(value, text)).toEqual(FOUND);
  });
});

it.each<[string, string | Uint8Array, string]>([
  ['a bootstrap token', `token: ${TOKEN}`, `the token is ${TOKEN}`],
  ['the secret half of a bootstrap token', `token: ${TOKEN}`, '0123456789abcdef'],
  [
    'a whole cloud-config in base64',
    `#cloud-config\n  token: ${TOKEN}\n`,
    base64(`#cloud-config\n  token: ${TOKEN}\n`),
  ],
  ['a token of a compressed cloud-config', gzipSync(`token: ${TOKEN}`), TOKEN],
  ['a compressed cloud-config in base64', gzipSync(`token: ${TOKEN}`), gzipSync(`token: ${TOKEN}`).toString('base64')],
  [
    'a token of RKE2',
    `token: K10${'a'.repeat(64)}::node:${'0123456789abcdef'.repeat(2)}`,
    '0123456789abcdef'.repeat(2),
  ],
  ['an unknown value', 'ZxCv1234ZxCv1234', 'ZxCv1234ZxCv1234'],
])('finds %s', (_, value, text) => {
  expect(reports(value, text)).toEqual(FOUND);
});

it.each<[string, string, string]>([
  ['another key', String(KEYS['an EC key']), String(KEYS['a PKCS #8 key'])],
  [
    'a certificate',
    '-----BEGIN CERTIFICATE-----\nMIIBzzCCATigAwIBAgIBADANBgkq\n-----END CERTIFICATE-----',
    'MIIBzzCCATigAwIBAgIBADANBgkq',
  ],
  ['the first half of a bootstrap token', `token: ${TOKEN}`, 'the Secret bootstrap-token-abcdef'],
  ['a short word', 'cloud-config', 'the format is cloud-config'],
])('does not report %s', (_, value, text) => {
  expect(reports(value, text)).toEqual([]);
});

it('finds a secret that is only learned later, and reports it once', () => {
  const canaries = makeCanaries();
  canaries.tell('an event', `with ${TOKEN}`);
  expect(canaries.found()).toEqual([]);
  canaries.learn('the Secret a', TOKEN);
  expect(canaries.found()).toEqual(['a part of the Secret a is in an event']);
  expect(canaries.found()).toEqual([]);
});

it('no part of a key is also in another key, and each has a form for each place in base64', () => {
  const parts = Object.values(KEYS).flatMap((pem) => secretParts(String(pem)));
  expect(new Set(parts).size).toBe(3);
  for (const part of parts) expect(new Set(formsOfPart(part)).size).toBe(4);
});
