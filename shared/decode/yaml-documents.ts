/**
 * YAML from any source. The library handles some constructs in time that grows with the square of the text, so that a
 * short text could keep a process busy for hours. They are handled here in one walk instead.
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

/** An error in the text: the library's code, or a key that occurs twice in a map. */
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
  /** Without duplicate keys. Of duplicates, the last one is used. */
  faults: TextFault[];
  duplicates: DuplicateYamlKey[];
  /** The value, or why there is none. */
  read(): { value: unknown; problem?: undefined } | { problem: ValueFault | 'TOO_DEEP' };
}

/** Without a limit, aliases could make a short text grow indefinitely. */
const MAX_ALIASES = 100;

/**
 * YAML types that JSON does not have are read as plain maps and lists. The library's own types compare all their keys.
 */
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
    // Without this setting, the library logs its warnings, which quote the text.
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

/** The same depth as for JSON bodies. */
const MAX_DEPTH = 1000;

/**
 * The library's composer calls itself for each level. If the stack overflows within a regular expression, the process
 * ends, and nothing can catch that. So a text that is nested too deeply is refused beforehand.
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

/**
 * The document of a text that contains only one; several documents are an error. Throws a RangeError for a text that is
 * nested too deeply.
 */
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

/** All documents of a text. Throws a RangeError for a document that is nested too deeply. */
export const readYamlDocuments = (
  text: string,
  dialect: YamlDialect = {},
  maxAliases: number = MAX_ALIASES,
): YamlDocument[] => {
  const lines = new LineCounter();
  const documents = new Composer(optionsOf(dialect)).compose(tokensOf(text, lines));
  return [...documents].map((document) => readable(document, lines, maxAliases));
};
