/**
 * The description of a field, and those of the fields inside it. List items and map values count as the field itself.
 */
export type FieldText = string | readonly [text: string, fields: FieldTexts];

export interface FieldTexts {
  readonly [field: string]: FieldText;
}

/**
 * The descriptions of a kind and of its fields in the stored version, and those of fields that another version adds or
 * changes.
 */
export interface KindTexts {
  readonly text: string;
  readonly fields: FieldTexts;
  readonly versions?: Readonly<Record<string, FieldTexts>>;
}
