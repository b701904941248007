/** What a field means, and the texts of the fields inside it. Items of lists and values of maps count as the field itself. */
export type FieldText = string | readonly [text: string, fields: FieldTexts];

export interface FieldTexts {
  readonly [field: string]: FieldText;
}

/**
 * The description of a kind, those of its fields in the stored version, and those of fields that another version adds
 * or gives another meaning.
 */
export interface KindTexts {
  readonly text: string;
  readonly fields: FieldTexts;
  readonly versions?: Readonly<Record<string, FieldTexts>>;
}
