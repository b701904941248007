/**
 * Function signatures, by function name and by cel-go's overload id, which the cost model uses. Example: `(int, A) ->
 * bool`. A leading dot marks a method of the first argument, and a capital letter is a type parameter.
 */
export type Overloads = Readonly<Record<string, Readonly<Record<string, string>>>>;
