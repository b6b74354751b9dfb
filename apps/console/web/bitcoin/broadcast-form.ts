import { rawMistake } from './refusal.js'

type BroadcastMistake = NonNullable<ReturnType<typeof rawMistake>>

interface BroadcastForm {
  readonly text: string
  /** Shown once a send was tried, until the text changes. */
  readonly mistake?: BroadcastMistake
}

type BroadcastEvent = { readonly type: 'typed'; readonly text: string } | { readonly type: 'submitted'; readonly maxDigits: number }

export const EMPTY_BROADCAST: BroadcastForm = { text: '' }

export function reduceBroadcast(form: BroadcastForm, event: BroadcastEvent): BroadcastForm {
  if (event.type === 'typed') return { text: event.text }
  return { ...form, mistake: rawMistake(pastedDigits(form), event.maxDigits) }
}

/** What is sent: wallets break long lines. */
export function pastedDigits({ text }: BroadcastForm): string {
  return text.replace(/\s+/g, '')
}
