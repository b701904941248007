import { describe, expect, it } from 'vitest';
import { resolveReferences } from './references.ts';

const secrets: Record<string, Record<string, Uint8Array>> = { mine: { x: Buffer.from('hidden') } };
const read = async (name: string) => secrets[name];
const source = { secret: { name: 'mine', key: 'x' } };

describe('resolveReferences', () => {
  it('replaces references by the contents of secrets, and does not change the rest', async () => {
    const spec = {
      files: [
        { path: '/a', contentFrom: source },
        { path: '/b', content: 'b' },
      ],
      users: [{ name: 'ada', passwdFrom: source }, { name: 'bob' }],
    };
    expect(await resolveReferences(spec, read)).toEqual({
      files: [
        { path: '/a', content: 'hidden' },
        { path: '/b', content: 'b' },
      ],
      users: [{ name: 'ada', passwd: 'hidden' }, { name: 'bob' }],
    });
  });

  it.each(['\n', '\r\n', '\n\n'])('drops %j at the end of a password, and keeps it in a file', async (end) => {
    const spec = { files: [{ path: '/a', contentFrom: source }], users: [{ name: 'ada', passwdFrom: source }] };
    const written = async () => ({ x: Buffer.from(`$6$salt$hash${end}`) });
    expect(await resolveReferences(spec, written)).toEqual({
      files: [{ path: '/a', content: `$6$salt$hash${end}` }],
      users: [{ name: 'ada', passwd: '$6$salt$hash' }],
    });
  });

  const bytes = Uint8Array.from([0x1f, 0x8b, 0xff, 0x00]);
  const resolveBytes = async (file: object) => {
    const spec = { files: [{ path: '/a', contentFrom: source, ...file }] };
    return (await resolveReferences(spec, async () => ({ x: bytes }))).files;
  };

  it.each([
    { encoding: undefined, becomes: 'base64' },
    { encoding: 'gzip', becomes: 'gzip+base64' },
  ])('encodes binary content with the encoding $encoding as $becomes', async ({ encoding, becomes }) => {
    const content = Buffer.from(bytes).toString('base64');
    expect(await resolveBytes({ encoding })).toEqual([{ path: '/a', encoding: becomes, content }]);
  });

  it('refuses binary content in a template and with the encoding gzip+base64', async () => {
    await expect(resolveBytes({ contentFormat: 'Template' })).rejects.toThrow(
      'spec.files[0].contentFormat: must not be Template: the secret is not UTF-8 text',
    );
    await expect(resolveBytes({ encoding: 'gzip+base64' })).rejects.toThrow(
      'spec.files[0].encoding: must not be gzip+base64',
    );
  });

  it.each([
    {
      reason: 'a file with both content and contentFrom',
      spec: { files: [{ path: '/a', content: 'hidden', contentFrom: source }] },
      message: 'spec.files[0]: has both content and contentFrom; keep one',
    },
    {
      reason: 'a user with both passwd and passwdFrom',
      spec: { users: [{ name: 'ada', passwd: 'hidden', passwdFrom: source }] },
      message: 'spec.users[0]: has both passwd and passwdFrom; keep one',
    },
    {
      reason: 'a Secret that does not exist',
      spec: { files: [{ path: '/a', contentFrom: { secret: { name: 'yours', key: 'x' } } }] },
      message: 'spec.files[0].contentFrom.secret: there is no secret "yours"; create it',
    },
  ])('refuses $reason and names the field', async ({ spec, message }) => {
    await expect(resolveReferences(spec, read)).rejects.toThrow(message);
  });
});
