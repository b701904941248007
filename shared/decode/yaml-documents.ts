/**
 * YAML from any source. What the library itself does in a time that grows with the square of the text is done here in one
 * walk: a short text could otherwise keep a process busy for hours.
 */
import {
  type CollectionTag,
  Composer,
  type Document,
  type DocumentOptions,
  Lexer,
  LineCounter,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  type Tags,
} from 'yaml';
import { type ValueFault, walkYaml } from './yaml-walk.ts';

export type YamlDialect = Pick<ParseOptions, 'intAsBigInt'> &
  Pick<DocumentOptions, 'version'> &
  Pick<SchemaOptions, 'schema' | 'merge' | 'customTags'>;

/** An error in the text: the library's code, or the key that a map has twice. */
export interface TextFault {
  code: string;
  /** From 1. */
  line: number;
  offset: number;
}

export interface DuplicateYamlKey extends TextFault {
  key: string;
}

export interface YamlDocument {
  /** Without duplicate keys, of which the last counts. */
  faults: TextFault[];
  duplicates: DuplicateYamlKey[];
  /** The value, or why there is none. */
  read(): { value: unknown; problem?: undefined } | { problem: ValueFault | 'TOO_DEEP' };
}

/** Aliases could make a short text grow without bound. */
const MAX_ALIASES = 100;

/** Types of YAML that JSON does not have are plain maps and lists: the library's own compare all their keys. */
const PLAIN: CollectionTag[] = (['omap', 'pairs', 'set'] as const).map((name) => ({
  tag: `tag:yaml.org,2002:${name}`,
  collection: name === 'set' ? 'map' : 'seq',
  default: false,
  resolve: (collection) => collection,
}));

const isPlain = (tag: Tags[number]): boolean => typeof tag !== 'string' && PLAIN.some((plain) => plain.tag === tag.tag);

const tagsOf =
  (given: SchemaOptions['customTags']) =>
  (tags: Tags): Tags => {
    const all = typeof given === 'function' ? given(tags) : [...tags, ...(given ?? [])];
    return [...PLAIN, ...all.filter((tag) => !isPlain(tag))];
  };

const optionsOf = ({ customTags, ...dialect }: YamlDialect) =>
  ({
    ...dialect,
    customTags: tagsOf(customTags),
    uniqueKeys: false,
    prettyErrors: false,
    // Otherwise the library writes its warnings, with what they are about, into the log.
    logLevel: 'error',
  }) as const;

const converted = (document: Document): ReturnType<YamlDocument['read']> => {
  try {
    return { value: document.toJS() };
  } catch (error) {
    // The library's message contains the alias, which is a part of the text.
    return { problem: error instanceof RangeError ? 'TOO_DEEP' : 'BAD_ALIAS' };
  }
};

const readable = (document: Document, lines: LineCounter, maxAliases: number): YamlDocument => {
  const { duplicates, fault } = walkYaml(document, maxAliases);
  const at = (offset: number) => ({ offset, line: lines.linePos(offset).line });
  return {
    faults: document.errors.map(({ code, pos: [start] }) => ({ code, ...at(start) })),
    duplicates: duplicates.map(({ value, range }) => ({
      code: 'DUPLICATE_KEY',
      key: String(value ?? ''),
      ...at(range?.[0] ?? 0),
    })),
    read: () => (fault ? { problem: fault } : converted(document)),
  };
};

/** As deep as JSON bodies. */
const MAX_DEPTH = 1000;

/**
 * The library's composer calls itself for each level. Where the stack ends within a regular expression, the process ends,
 * and nothing can catch that: a text that is too deep is refused before.
 */
function* tokensOf(text: string, lines: LineCounter) {
  const [lexer, parser] = [new Lexer(), new Parser(lines.addNewLine)];
  lines.addNewLine(0);
  for (const lexeme of lexer.lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > MAX_DEPTH) throw new RangeError('the text is nested too deeply');
  }
  yield* parser.end();
}

/** The one document of a text; more of them are an error. Throws a RangeError for a text that is nested too deeply. */
export const readYamlDocument = (
  text: string,
  dialect: YamlDialect = {},
  maxAliases: number = MAX_ALIASES,
): YamlDocument => {
  const lines = new LineCounter();
  const composer = new Composer(optionsOf(dialect));
  const [document, next] = composer.compose(tokensOf(text, lines), true, text.length);
  if (!document) throw new Error('the composer has to make a document of any text');
  const read = readable(document, lines, maxAliases);
  if (!next) return read;
  const offset = next.range[0];
  const more = { code: 'MULTIPLE_DOCS', line: lines.linePos(offset).line, offset };
  return { ...read, faults: [...read.faults, more] };
};

/** All documents of a text. Throws a RangeError for one that is nested too deeply. */
export const readYamlDocuments = (
  text: string,
  dialect: YamlDialect = {},
  maxAliases: number = MAX_ALIASES,
): YamlDocument[] => {
  const lines = new LineCounter();
  const documents = new Composer(optionsOf(dialect)).compose(tokensOf(text, lines));
  return [...documents].map((document) => readable(document, lines, maxAliases));
};
