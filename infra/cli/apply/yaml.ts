/** YAML as kubectl reads it: version 1.1 without dates and sexagesimal numbers, with `0o17` of version 1.2. Pure. */
import { type Document, parseAllDocuments, type ScalarTag, type Tags } from 'yaml';

const INTEGER = 'tag:yaml.org,2002:int';
const BINARY = 'tag:yaml.org,2002:binary';
const TIMESTAMP = 'tag:yaml.org,2002:timestamp';

const octal: ScalarTag = {
  tag: INTEGER,
  default: true,
  test: /^[-+]?0o[0-7]+$/,
  resolve: (text) => Number(text.replace(/^[-+]/, '')) * (text.startsWith('-') ? -1 : 1),
};

const binary: ScalarTag = { tag: BINARY, resolve: (text) => Buffer.from(text, 'base64').toString() };

/** 12:30:45 and 2026-01-31 are strings. */
const isOfTime = (tag: Tags[number]): boolean =>
  typeof tag !== 'string' && (tag.tag === TIMESTAMP || ('format' in tag && tag.format === 'TIME'));

const tagsOf = (tags: Tags): Tags => [
  octal,
  binary,
  ...tags.filter((tag) => !isOfTime(tag) && (typeof tag === 'string' || tag.tag !== BINARY)),
];

/**
 * The documents of a text. Duplicate keys are errors, although kubectl uses the last one; and a merge key never
 * overrides a key beside it, although kubectl's does if it comes later. Both follow the YAML specification.
 */
export const yamlDocuments = (text: string): Document.Parsed[] => [
  ...parseAllDocuments(text, { schema: 'yaml-1.1', merge: true, customTags: tagsOf }),
];
