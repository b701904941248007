import { Buffer } from 'node:buffer';
import { BootstrapInvalidError } from '../invalid.ts';
import type { BootFile } from '../machine-setup.ts';
import { textFileContent } from '../text-file.ts';
import type { FileNode, Owner } from './config.ts';
import { dataResource } from './contents.ts';

/**
 * Files that an image gets in these directories are invisible after it has started, because the directories are
 * recreated in memory.
 */
const VOLATILE = /^\/(run|tmp)\//;

/** Whether the machine would never see a file at this path. */
export const isVolatile = (path: string): boolean => VOLATILE.test(path);

/** New files belong to root anyway. To look up the name, the image would have to be running. */
const owner = (name: string | undefined): Owner | undefined => {
  const trimmed = name?.trim();
  return trimmed === undefined || trimmed === '' || trimmed === 'root' ? undefined : { name: trimmed };
};

const mode = ({ path, permissions = '0644' }: BootFile): number => {
  if (!/^0?o?[0-7]{1,4}$/.test(permissions)) {
    throw new BootstrapInvalidError('spec.files[].permissions', `"${permissions}" of ${path} is not an octal number`);
  }
  return Number.parseInt(permissions.replace('o', ''), 8);
};

const content = ({ path, encoding, content: text }: BootFile): string | Buffer => {
  if (encoding === undefined) return textFileContent(text);
  if (encoding === 'base64') return Buffer.from(text, 'base64');
  throw new BootstrapInvalidError('spec.files[].encoding', `${encoding} of ${path} is not supported by Ignition`);
};

/** One file. Throws BootstrapInvalidError if Ignition cannot create it. */
export const fileNode = (file: BootFile): FileNode => {
  const [user, group] = (file.owner ?? '').split(':');
  return {
    path: file.path,
    user: owner(user),
    group: owner(group),
    mode: mode(file),
    append: file.append || undefined,
    contents: dataResource(content(file)),
  };
};

/** A text file of Windlass itself. */
export const textFile = (path: string, permissions: string, text: string): FileNode =>
  fileNode({ path, permissions, content: text });
