import { dataOf } from '../ignition/decode.ts';

interface File {
  path: string;
  contents?: { source: string; compression?: 'gzip' };
}

/** An Ignition config in readable form: indented, followed by the content of each file as it will be on the machine. */
export const readableIgnition = (body: string): string => {
  const config = JSON.parse(body) as { storage?: { files?: File[] } };
  const below: string[] = [];
  const files = config.storage?.files?.map((file) => {
    const content = file.contents && dataOf(file.contents)?.toString('utf8');
    if (content === undefined) return file;
    below.push(`──── ${file.path}\n${content}`);
    return { ...file, contents: '(below)' };
  });
  const document = { ...config, storage: { ...config.storage, files } };
  return [JSON.stringify(document, null, 2), ...below].join('\n\n');
};
