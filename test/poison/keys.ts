import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A name of an annotation or a label in quotes in a source: a domain, a slash and a word. */
const KEY = /['"`]((?:[a-z0-9-]+\.)+[a-z]+\/[A-Za-z](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)['"`]/g;
/** `group/version`, which looks the same. */
const VERSION = /\/v\d+((alpha|beta)\d+)?$/;

/** Every annotation and label that the code can know, from its sources: new ones are covered automatically. */
export const knownKeys = (): string[] => {
  const keys = new Set<string>();
  for (const folder of ['shared', 'functions']) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/(?<!\.test)\.ts$/.test(entry.name)) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      for (const [, key = ''] of text.matchAll(KEY)) if (!VERSION.test(key)) keys.add(key);
    }
  }
  return [...keys].sort();
};
