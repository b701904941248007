import type { BootFile } from '../certificates/files.ts';
import { compact, type Fields } from '../kubeadm/document.ts';
import { text, textFileContent } from './text.ts';

/** One entry of `write_files`. */
export const writeFile = (file: BootFile): Fields =>
  compact({
    path: text(file.path),
    encoding: file.encoding,
    owner: file.owner === undefined ? undefined : text(file.owner),
    permissions: file.permissions === undefined ? undefined : text(file.permissions),
    append: file.append,
    content: text(file.encoding === undefined ? textFileContent(file.content) : file.content),
  });
