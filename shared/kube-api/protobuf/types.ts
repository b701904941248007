import protobuf from 'protobufjs';

/** Fields by name: number and type, or number, cardinality and type of the elements. */
type Fields = Record<string, [number, string] | [number, 'repeated', string] | [number, 'map', string]>;

/** Messages by name. A type is a protobuf type or the name of a message in the same table. */
export type Messages = Readonly<Record<string, Fields>>;

const fieldOf = (name: string, shape: Fields[string]): protobuf.FieldBase => {
  const [id, form, type] = shape;
  if (form === 'map') return new protobuf.MapField(name, id, 'string', type ?? 'string');
  return form === 'repeated'
    ? new protobuf.Field(name, id, type ?? 'string', 'repeated')
    : new protobuf.Field(name, id, form);
};

const typeOf = (name: string, fields: Fields): protobuf.Type =>
  Object.entries(fields).reduce((type, [field, shape]) => type.add(fieldOf(field, shape)), new protobuf.Type(name));

/**
 * Returns a function that looks up message types by name. They are built at first use, because most requests need none.
 */
export const messageTypes = (messages: Messages): ((name: string) => protobuf.Type | undefined) => {
  let root: protobuf.Root | undefined;
  return (name) => {
    if (!Object.hasOwn(messages, name)) return undefined;
    root ??= Object.entries(messages).reduce(
      (made, [message, fields]) => made.add(typeOf(message, fields)) as protobuf.Root,
      new protobuf.Root(),
    );
    return root.lookupType(name);
  };
};
