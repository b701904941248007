/** Reads the objects of classes. Classes for AWS are converted to the in-memory infrastructure if required. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { Provider } from './story.ts';

/** The path in the machine templates at which variants differ, and the variants. */
const SIZES: Readonly<Record<Provider, { path: string; small: string; large: string }>> = {
  AWS: { path: '/spec/template/spec/instanceType', small: 't3.large', large: 'm5.large' },
  Dev: {
    path: '/spec/template/spec/backend/inMemory/vm/provisioning/startupDuration',
    small: '100ms',
    large: '200ms',
  },
};

export const parseObjects = (text: string): KubeObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);

/** The objects in files of `classes`, for one of the providers. */
export const readObjects = (provider: Provider, ...files: string[]): KubeObject[] => {
  const { path, small, large } = SIZES[provider];
  const text = files
    .map((file) => readFileSync(join(import.meta.dirname, 'classes', `${file}.yaml`), 'utf8'))
    .join('\n---\n')
    .replaceAll(/\bAWS(?=Cluster|Machine)/g, provider)
    .replaceAll('SIZE_PATH', path)
    .replaceAll('SIZE_SMALL', small)
    .replaceAll('SIZE_LARGE', large);
  return parseObjects(text);
};
