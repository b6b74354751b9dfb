/** One field of a form has a new value. */
export type FieldChange<S> = { [F in keyof S]: { readonly type: 'changed'; readonly field: F; readonly value: S[F] } }[keyof S]

/** The reducer of a form whose fields do not depend on each other. */
export function changeField<S>(state: S, { field, value }: FieldChange<S>): S {
  return { ...state, [field]: value }
}
