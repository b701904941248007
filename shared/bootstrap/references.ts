import { Buffer } from 'node:buffer';
import { MissingReferenceError } from '../errors.ts';
import type { BootstrapFile, BootstrapUser, KubeadmConfigSpec } from './kubeadm/spec.ts';

/** Reads a Secret's decoded data in the KubeadmConfig's namespace; undefined when there is no such Secret. */
export type ReadSecretData = (name: string) => Promise<Readonly<Record<string, Uint8Array>> | undefined>;

const lookUp = async (read: ReadSecretData, source: { name: string; key: string }, field: string): Promise<string> => {
  const data = await read(source.name);
  if (data === undefined) throw new MissingReferenceError(`${field}: there is no secret "${source.name}"; create it`);
  const value = data[source.key];
  if (value === undefined) {
    throw new MissingReferenceError(`${field}: secret "${source.name}" has no key "${source.key}"; add it`);
  }
  return Buffer.from(value).toString('utf8');
};

/**
 * Replaces `contentFrom` and `passwdFrom` by what the secrets hold. The result is for renderBootstrapData only; it is
 * never written back. Throws MissingReferenceError that names the field and the secret.
 */
export const resolveReferences = async (
  spec: KubeadmConfigSpec,
  read: ReadSecretData,
): Promise<{ files: BootstrapFile[]; users: BootstrapUser[] }> => {
  const files = (spec.files ?? []).map(async ({ contentFrom, ...file }, index): Promise<BootstrapFile> => {
    if (contentFrom === undefined) return file;
    const field = `spec.files[${index}].contentFrom.secret`;
    return { ...file, content: await lookUp(read, contentFrom.secret, field) };
  });
  const users = (spec.users ?? []).map(async ({ passwdFrom, ...user }, index): Promise<BootstrapUser> => {
    if (passwdFrom === undefined) return user;
    const field = `spec.users[${index}].passwdFrom.secret`;
    return { ...user, passwd: await lookUp(read, passwdFrom.secret, field) };
  });
  return { files: await Promise.all(files), users: await Promise.all(users) };
};
