import { compact, type Fields } from '../kubeadm/document.ts';
import type { BootFile } from '../machine-setup.ts';
import { textFileContent } from '../text-file.ts';
import { text } from './text.ts';

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
