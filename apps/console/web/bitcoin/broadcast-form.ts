import { rawMistake } from './refusal.js'

export type BroadcastMistake = NonNullable<ReturnType<typeof rawMistake>>

export interface BroadcastForm {
  readonly text: string
  /** Shown once a send was tried, until the text changes. */
  readonly mistake?: BroadcastMistake
}

export type BroadcastEvent = { readonly type: 'typed'; readonly text: string } | { readonly type: 'submitted'; readonly maxDigits: number }

export const EMPTY_BROADCAST: BroadcastForm = { text: '' }

export function reduceBroadcast(form: BroadcastForm, event: BroadcastEvent): BroadcastForm {
  if (event.type === 'typed') return { text: event.text }
  return { ...form, mistake: rawMistake(rawTransaction(form), event.maxDigits) }
}

/** What is sent: wallets break long lines. */
export function rawTransaction({ text }: BroadcastForm): string {
  return text.replace(/\s+/g, '')
}
