/** What a field means, and the texts of the fields inside it. Items of lists and values of maps count as the field itself. */
export type FieldText = string | readonly [text: string, fields: FieldTexts];

export interface FieldTexts {
  readonly [field: string]: FieldText;
}

/** What a kind is, the texts of its fields in the stored version, and those that another version adds or means differently. */
export interface KindTexts {
  readonly text: string;
  readonly fields: FieldTexts;
  readonly versions?: Readonly<Record<string, FieldTexts>>;
}
