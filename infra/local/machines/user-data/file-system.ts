import { gunzipSync } from 'node:zlib';

export interface StoredFile {
  content: Buffer;
  permissions: string;
  owner: string;
}

/** The files that user data writes to a machine's disk. Paths are absolute. */
export interface FileSystem {
  write(path: string, content: Uint8Array | string, options?: { permissions?: string; owner?: string }): void;
  append(path: string, content: Uint8Array | string): void;
  /** Moves a file, to a folder if the target ends with a slash. Returns false if there is no such file. */
  move(path: string, target: string): boolean;
  /** The file as text, or undefined if there is none. */
  read(path: string): string | undefined;
  stat(path: string): StoredFile | undefined;
  /** The paths of the files in a folder, which ends with a slash; without those in its subfolders. */
  list(folder: string): string[];
}

/** A disk, empty or with the files of an earlier start. `onChange` is called after each change. */
export const makeFileSystem = (
  files: Map<string, StoredFile> = new Map(),
  onChange: () => void = () => {},
): FileSystem => {
  const write: FileSystem['write'] = (path, content, { permissions = '0644', owner = 'root:root' } = {}) => {
    files.set(path, { content: Buffer.from(content), permissions, owner });
    onChange();
  };
  return {
    write,
    append: (path, content) => {
      const current = files.get(path);
      if (!current) return write(path, content);
      current.content = Buffer.concat([current.content, Buffer.from(content)]);
      onChange();
    },
    move: (path, target) => {
      const current = files.get(path);
      if (!current) return false;
      files.delete(path);
      files.set(target.endsWith('/') ? target + path.slice(path.lastIndexOf('/') + 1) : target, current);
      onChange();
      return true;
    },
    read: (path) => files.get(path)?.content.toString('utf8'),
    stat: (path) => files.get(path),
    list: (folder) =>
      [...files.keys()].filter((path) => path.startsWith(folder) && !path.slice(folder.length).includes('/')).sort(),
  };
};

/** One entry of cloud-config's `write_files`. */
export interface FileEntry {
  path: string;
  content?: string;
  encoding?: string;
  owner?: string;
  permissions?: string;
  append?: boolean;
}

const BASE64 = new Set(['b64', 'base64']);
const GZIP = new Set(['gz', 'gzip']);
const GZIP_BASE64 = new Set(['gz+base64', 'gzip+base64', 'gz+b64', 'gzip+b64']);

const decode = (content: string, encoding: string): Buffer => {
  if (GZIP_BASE64.has(encoding)) return gunzipSync(Buffer.from(content, 'base64'));
  if (BASE64.has(encoding)) return Buffer.from(content, 'base64');
  // YAML gives binary scalars as latin-1 text.
  if (GZIP.has(encoding)) return gunzipSync(Buffer.from(content, 'latin1'));
  return Buffer.from(content, 'utf8');
};

/** Writes one `write_files` entry. Throws if its encoding does not fit its content. */
export const writeEntry = (files: FileSystem, entry: FileEntry): void => {
  const content = decode(entry.content ?? '', (entry.encoding ?? 'text/plain').toLowerCase().trim());
  if (entry.append) files.append(entry.path, content);
  else files.write(entry.path, content, { permissions: entry.permissions, owner: entry.owner });
};
