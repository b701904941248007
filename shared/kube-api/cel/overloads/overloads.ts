/**
 * The signatures of functions, by the functions' names and by cel-go's names of the signatures, by which costs are counted:
 * `(int, A) -> bool`, with a dot in front if it is called on its first argument. A capital letter stands for any type.
 */
export type Overloads = Readonly<Record<string, Readonly<Record<string, string>>>>;
