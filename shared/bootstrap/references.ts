import { Buffer } from 'node:buffer';
import { MissingReferenceError } from '../errors.ts';
import { BootstrapInvalidError } from './invalid.ts';
import type { BootstrapFile, BootstrapUser, KubeadmConfigSpec } from './kubeadm/spec.ts';
import type { BootFile } from './machine-setup.ts';
import { withSecretBytes } from './secret-bytes.ts';

/** Reads the decoded data of a Secret in the KubeadmConfig's namespace; undefined if there is no such Secret. */
export type ReadSecretData = (name: string) => Promise<Readonly<Record<string, Uint8Array>> | undefined>;

const lookUp = async (read: ReadSecretData, source: { name: string; key: string }, field: string): Promise<Buffer> => {
  const data = await read(source.name);
  if (data === undefined) throw new MissingReferenceError(`${field}: there is no secret "${source.name}"; create it`);
  const value = data[source.key];
  if (value === undefined) {
    throw new MissingReferenceError(`${field}: secret "${source.name}" has no key "${source.key}"; add it`);
  }
  return Buffer.from(value);
};

/**
 * `kubectl create secret --from-file` keeps the newline at the end of a file, and useradd refuses a hash with a
 * newline.
 */
const withoutNewlines = (text: string): string => text.replace(/[\r\n]+$/, '');

/**
 * Replaces `contentFrom` and `passwdFrom` by the contents of Secrets. The result is only for renderBootstrapData, and
 * is never written back. Throws MissingReferenceError, which names the field and the Secret, and BootstrapInvalidError
 * for a file or user that sets both.
 */
export const resolveReferences = async (
  spec: KubeadmConfigSpec,
  read: ReadSecretData,
): Promise<{ files: BootstrapFile[]; users: BootstrapUser[] }> => {
  const files = (spec.files ?? []).map(async ({ contentFrom, ...file }, index): Promise<BootstrapFile> => {
    if (contentFrom === undefined) return file;
    if (file.content)
      throw new BootstrapInvalidError(`spec.files[${index}]`, 'has both content and contentFrom; keep one');
    const field = `spec.files[${index}].contentFrom.secret`;
    return withSecretBytes(file, await lookUp(read, contentFrom.secret, field), index);
  });
  const users = (spec.users ?? []).map(async ({ passwdFrom, ...user }, index): Promise<BootstrapUser> => {
    if (passwdFrom === undefined) return user;
    if (user.passwd)
      throw new BootstrapInvalidError(`spec.users[${index}]`, 'has both passwd and passwdFrom; keep one');
    const field = `spec.users[${index}].passwdFrom.secret`;
    return { ...user, passwd: withoutNewlines((await lookUp(read, passwdFrom.secret, field)).toString('utf8')) };
  });
  return { files: await Promise.all(files), users: await Promise.all(users) };
};

const bootFile = ({ contentFrom, contentFormat, content, ...file }: BootstrapFile, index: number): BootFile => {
  if (contentFrom !== undefined && content === undefined) {
    throw new BootstrapInvalidError(`spec.files[${index}].contentFrom`, 'was not resolved to content');
  }
  if (contentFormat === 'Template') {
    throw new BootstrapInvalidError(`spec.files[${index}].contentFormat`, 'the template was not rendered');
  }
  return { ...file, content: content ?? '' };
};

const bootUser = (user: BootstrapUser, index: number): BootstrapUser => {
  if (user.passwdFrom !== undefined && user.passwd === undefined) {
    throw new BootstrapInvalidError(`spec.users[${index}].passwdFrom`, 'was not resolved to passwd');
  }
  return user;
};

/**
 * The user's files in the form that a machine gets. Throws BootstrapInvalidError with the field of unsupported parts.
 */
export const bootFiles = (files: readonly BootstrapFile[]): BootFile[] => files.map(bootFile);

/** The user's users in the form that a machine gets. Throws BootstrapInvalidError if a password was not resolved. */
export const bootUsers = (users: readonly BootstrapUser[]): BootstrapUser[] => users.map(bootUser);
