import { Problem } from '@trestle/problem/problem'

/** The confirmation by the withdrawal address, where the platform requires one. */
interface ExitForm {
  /** Part of the text to sign; none while no confirmation is required. */
  readonly date?: string
  readonly signature: string
}

type ExitEvent =
  | { readonly type: 'signed'; readonly signature: string }
  | { readonly type: 'renewed'; readonly now: Date }
  | { readonly type: 'refused'; readonly error: unknown; readonly now: Date }

export const EMPTY_EXIT: ExitForm = { signature: '' }

export function reduceExit(form: ExitForm, event: ExitEvent): ExitForm {
  if (event.type === 'signed') return { ...form, signature: event.signature }
  if (event.type === 'renewed') return { ...form, date: event.now.toISOString() }
  // Whether a confirmation is required is known only from the first refusal.
  const isUnconfirmed = event.error instanceof Problem && event.error.code === 'ExitNotConfirmed'
  return isUnconfirmed && form.date === undefined ? { ...form, date: event.now.toISOString() } : form
}

export function exitBody({ date, signature }: ExitForm) {
  return date === undefined ? undefined : { confirmationDate: date, confirmationSignature: signature.trim() }
}

/** The text that the withdrawal address signs. */
export function exitText({ chain, pubkey }: { chain: string; pubkey: string }, date: string): string {
  return `${chain}:${pubkey}:${date}`
}
