/** Parses values of annotations like Go's strconv, which determines in upstream's programs what is valid. */

const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const FALSE = ['0', 'f', 'F', 'FALSE', 'false', 'False'];

/** `strconv.ParseBool`; undefined for an invalid text. */
export const parseBool = (text: string): boolean | undefined => {
  if (TRUE.includes(text)) return true;
  return FALSE.includes(text) ? false : undefined;
};

/** `strconv.ParseInt(text, 10, 32)`; undefined for an invalid text or a number that is too large. */
export const parseInt32 = (text: string): number | undefined => {
  if (!/^[+-]?\d{1,12}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= -(2 ** 31) && value < 2 ** 31 ? value : undefined;
};
