import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const QUICKSTART = join(import.meta.dirname, '..', '..', '..', 'examples', 'quickstart.yaml');

/** Outside the cluster's objects, so that it can be pruned without harm. */
const NOTES = `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: notes
data:
  owner: platform
`;

/** A new folder, removed by the computer's own cleanup. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'windlass-ecosystem-'));

/** The quickstart's cluster and a ConfigMap, as text. */
export const manifests = (): string => readFileSync(QUICKSTART, 'utf8') + NOTES;

/** The same in a file; its path. */
export const manifestFile = (folder: string): string => {
  const file = join(folder, 'manifests.yaml');
  writeFileSync(file, manifests());
  return file;
};
