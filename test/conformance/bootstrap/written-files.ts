import { parse } from 'yaml';
import type { BootstrapData } from '../../../shared/bootstrap/bootstrap-data.ts';
import type { Resource } from '../../../shared/bootstrap/ignition/config.ts';
import { dataOf } from '../../../shared/bootstrap/ignition/decode.ts';

interface CloudConfig {
  write_files: { path: string; content: string }[];
}

interface Ignition {
  storage: { files: { path: string; contents: Resource }[] };
}

/**
 * Returns a function with the content that bootstrap data of any format writes to a path; undefined if it writes none.
 */
export const writtenFiles = ({ body, format }: BootstrapData): ((path: string) => string | undefined) => {
  if (format === 'cloud-config') {
    const { write_files: files } = parse(body, { version: '1.1' }) as CloudConfig;
    return (path) => files.find((file) => file.path === path)?.content;
  }
  const { files } = (JSON.parse(body) as Ignition).storage;
  return (path) => {
    const found = files.find((file) => file.path === path);
    return found && dataOf(found.contents)?.toString('utf8');
  };
};
