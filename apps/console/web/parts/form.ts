/** One field of a form has a new value. */
export type FieldChange<S> = { [F in keyof S]: { readonly type: 'changed'; readonly field: F; readonly value: S[F] } }[keyof S]

/** The reducer of a form whose fields do not depend on each other. */
export function changeField<S>(state: S, { field, value }: FieldChange<S>): S {
  return { ...state, [field]: value }
}

interface TextChange<F> {
  readonly type: 'changed'
  readonly field: F
  readonly value: string
}

/** Binds an input to a field of text. */
export function textField<F extends string>(
  form: Readonly<Record<NoInfer<F>, string>>,
  dispatch: (event: TextChange<NoInfer<F>>) => void,
  field: F,
) {
  const onChange = (event: { readonly currentTarget: { readonly value: string } }) =>
    dispatch({ type: 'changed', field, value: event.currentTarget.value })
  return { name: field, value: form[field], onChange }
}
