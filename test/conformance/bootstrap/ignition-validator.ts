import { spawnSync } from 'node:child_process';

/** Ignition's report on a document, empty if the document is valid, and the files in the document. */
export interface Finding {
  said: string;
  files: Record<string, Buffer>;
}

/**
 * Ignition 2.3 specifies a config's `security.tls` and applies it, but the parser reports the key as unknown: its check
 * for unknown keys misses the field, which is in an embedded struct.
 */
const MISTAKEN = /^warning at line [\s\S]*\nConfig has unrecognized key: tls\n?$/;

/** Passes documents to the suite's program, which wraps the parsers of Ignition. */
export const readByIgnition = (
  program: string,
  documents: Readonly<Record<string, string>>,
): Record<string, Finding> => {
  const { status, stdout, stderr } = spawnSync(program, {
    encoding: 'utf8',
    input: JSON.stringify(documents),
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`Ignition could not check the documents:\n${stderr}`);
  const found = JSON.parse(stdout) as Record<string, { said: string; files: Record<string, string> | null }>;
  return Object.fromEntries(
    Object.entries(found).map(([name, { said, files }]) => {
      const contents = Object.entries(files ?? {}).map(([path, data]) => [path, Buffer.from(data, 'base64')] as const);
      return [name, { said: said.replace(MISTAKEN, ''), files: Object.fromEntries(contents) }];
    }),
  );
};
