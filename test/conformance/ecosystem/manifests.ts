import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const QUICKSTART = join(import.meta.dirname, '..', '..', '..', 'examples', 'quickstart.yaml');

/** An object that does not belong to the cluster, so that it can be pruned without harm. */
const NOTES = `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: notes
data:
  owner: platform
`;

/** A new folder, which the operating system removes with other temporary files. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'windlass-ecosystem-'));

/** The quickstart's cluster and a ConfigMap, as text. */
export const manifests = (): string => readFileSync(QUICKSTART, 'utf8') + NOTES;

/** Writes the manifests to a file and returns its path. */
export const manifestFile = (folder: string): string => {
  const file = join(folder, 'manifests.yaml');
  writeFileSync(file, manifests());
  return file;
};
