type Parts<T> = T extends readonly (infer Item)[]
  ? readonly Parts<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Parts<T[Key]> }
    : T

/** What a test needs of a record; the rest of it is left out. */
export function partial<T>(known: Parts<T>): T {
  return known as T
}
