import type { Overloads } from './overloads.ts';

/** String functions: cel-go's own, its strings library (version 2), and Kubernetes' regex library. */
export const text: Overloads = {
  charAt: {
    string_char_at_int: '.(string, int) -> string',
  },
  contains: {
    contains_string: '.(string, string) -> bool',
  },
  endsWith: {
    ends_with_string: '.(string, string) -> bool',
  },
  find: {
    string_find_string: '.(string, string) -> string',
  },
  findAll: {
    string_find_all_string: '.(string, string) -> list(string)',
    string_find_all_string_int: '.(string, string, int) -> list(string)',
  },
  format: {
    string_format: '.(string, list(dyn)) -> string',
  },
  join: {
    list_join: '.(list(string)) -> string',
    list_join_string: '.(list(string), string) -> string',
  },
  lastIndexOf: {
    list_a_last_index_of_int: '.(list(A), A) -> int',
    string_last_index_of_string: '.(string, string) -> int',
    string_last_index_of_string_int: '.(string, string, int) -> int',
  },
  lowerAscii: {
    string_lower_ascii: '.(string) -> string',
  },
  matches: {
    matches: '(string, string) -> bool',
    matches_string: '.(string, string) -> bool',
  },
  replace: {
    string_replace_string_string: '.(string, string, string) -> string',
    string_replace_string_string_int: '.(string, string, string, int) -> string',
  },
  split: {
    string_split_string: '.(string, string) -> list(string)',
    string_split_string_int: '.(string, string, int) -> list(string)',
  },
  startsWith: {
    starts_with_string: '.(string, string) -> bool',
  },
  'strings.quote': {
    strings_quote: '(string) -> string',
  },
  substring: {
    string_substring_int: '.(string, int) -> string',
    string_substring_int_int: '.(string, int, int) -> string',
  },
  trim: {
    string_trim: '.(string) -> string',
  },
  upperAscii: {
    string_upper_ascii: '.(string) -> string',
  },
};
