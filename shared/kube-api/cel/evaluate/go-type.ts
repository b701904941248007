import { type CelValue, typeOf } from '../value.ts';

const GO_TYPES: Readonly<Record<string, string>> = {
  null_type: 'types.Null',
  'google.protobuf.Duration': 'types.Duration',
  'google.protobuf.Timestamp': 'types.Timestamp',
  optional_type: '*types.Optional',
};

/** The name of the value's type in cel-go's sources, which some error messages contain. */
export const goType = (value: CelValue): string => {
  const name = typeOf(value);
  return GO_TYPES[name] ?? `types.${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
};
