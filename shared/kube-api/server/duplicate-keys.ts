import { visit } from 'jsonc-parser';

/** A key that occurs again in the same object. */
export interface DuplicateKey {
  key: string;
  /** The path from the root to the key. */
  path: readonly (string | number)[];
  /** Counted from 1. */
  line: number;
}

/** How many are reported, as in upstream: a text can have many, each deeply nested. */
export const MAX_DUPLICATES = 100;

/** The duplicate keys of a JSON text; the first of them. */
export const findDuplicateKeys = (text: string): DuplicateKey[] => {
  const open: Set<string>[] = [];
  const found: DuplicateKey[] = [];
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, _offset, _length, line, _character, pathOf) => {
      const keys = open.at(-1);
      if (keys?.has(key) && found.length < MAX_DUPLICATES)
        found.push({ key, path: [...pathOf(), key], line: line + 1 });
      keys?.add(key);
    },
  });
  return found;
};

/** `spec.list[0].name`. */
export const fieldOf = (path: readonly (string | number)[]): string => {
  const segments = path.map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${segment}`));
  return segments.join('').replace(/^\./, '');
};

/** In the form of Go's JSON decoder, with the path of the field: `duplicate field "spec.list[0].name"`. */
export const inJsonWords = ({ path }: DuplicateKey): string => `duplicate field ${JSON.stringify(fieldOf(path))}`;

/** In the form of Go's YAML decoder: `line 3: key "name" already set in map`. */
export const inYamlWords = ({ key, line }: Pick<DuplicateKey, 'key' | 'line'>): string =>
  `line ${line}: key ${JSON.stringify(key)} already set in map`;
