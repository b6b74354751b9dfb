/** A node's answer to a transaction. */
type SendOutcome = 'accepted' | 'known' | 'refused'

interface Answer {
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null
}

// bitcoind's RPC_VERIFY_ALREADY_IN_CHAIN.
const IN_CHAIN = -27
const KNOWN = /already known|already imported|already in mempool|already-in-mempool|known transaction/i

export function outcomeOf(body: Buffer): SendOutcome {
  const { result, error } = parsed(body)
  if (error === undefined || error === null) return typeof result === 'string' || typeof result === 'object' ? 'accepted' : 'refused'
  return error.code === IN_CHAIN || KNOWN.test(String(error.message)) ? 'known' : 'refused'
}

function parsed(body: Buffer): Answer {
  try {
    return (JSON.parse(body.toString()) as Answer | null) ?? {}
  } catch {
    return {}
  }
}
